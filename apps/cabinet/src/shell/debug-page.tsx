import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as icons from 'virtual:icons';
import { tryCopy } from '../core/copy.ts';
import { showSuccess } from '../core/toast.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import classes from './debug-page.module.css';

const ALL = Object.entries(icons);

/** Every icon in use; a click copies its name. */
export function DebugPage() {
  const { t } = useTranslation();
  const copy = async (name: string) => {
    if (await tryCopy(name)) showSuccess(t('shell:debug.copied', { name }));
  };
  return (
    <>
      <PageHeader title={t('shell:debug.title')} />
      <Text size="sm" mb="md">
        {t('shell:debug.text')}
      </Text>
      <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, md: 5, lg: 8 }} spacing="xs">
        {ALL.map(([name, NamedIcon]) => (
          <UnstyledButton key={name} className={classes.icon} onClick={() => void copy(name)}>
            <NamedIcon size={28} stroke={1.6} aria-hidden />
            {name}
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </>
  );
}
