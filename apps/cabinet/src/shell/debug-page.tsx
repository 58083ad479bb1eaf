import { Paper, SimpleGrid, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import * as icons from 'virtual:icons';
import { copy } from '../core/copy.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { StoryModule } from '../ui/story.ts';
import classes from './debug-page.module.css';

const ICONS = Object.entries(icons);

/** Each story is a chunk of its own, so that the page loads before the components that it shows. */
const STORIES = Object.entries(import.meta.glob<StoryModule>('../ui/*.story.tsx')).map(
  ([path, load]) => [path, later(async () => storySection(await load()), <Placeholder />)] as const,
);

/** The shared components, each with an example, and all icons; a click copies the name of an icon. */
export function DebugPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('shell:debug.title')} />
      <Title order={2} size="h4" mb="sm">
        {t('shell:debug.components')}
      </Title>
      {/* The examples are for developers and in English only. */}
      <div className={classes.stories} lang="en">
        {STORIES.map(([path, Section]) => (
          <Section key={path} />
        ))}
      </div>
      <Title order={2} size="h4" mt="xl" mb="xs">
        {t('shell:debug.icons')}
      </Title>
      <Text size="sm" mb="md">
        {t('shell:debug.text')}
      </Text>
      <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, md: 5, lg: 8 }} spacing="xs">
        {ICONS.map(([name, NamedIcon]) => (
          <UnstyledButton
            key={name}
            className={classes.icon}
            onClick={() => void copy(name, t('shell:debug.copied', { name }))}
          >
            <NamedIcon size={28} stroke={1.6} aria-hidden />
            {name}
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </>
  );
}

const storySection = ({ story: { title, Story } }: StoryModule) =>
  function StorySection() {
    const id = useId();
    return (
      <Paper component="section" withBorder p="md" aria-labelledby={id}>
        <Stack gap="sm">
          <Title order={3} size="h5" id={id}>
            {title}
          </Title>
          <Story />
        </Stack>
      </Paper>
    );
  };

function Placeholder() {
  return <Skeleton height={140} />;
}
