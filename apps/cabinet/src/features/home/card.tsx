import { ActionIcon, Group, Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconRefresh } from '../../ui/icons.ts';

interface CardProps {
  title: string;
  /** Reserved height, so that nothing moves when the rows are loaded. */
  height?: number | string;
  onRefresh?: () => void;
  busy?: boolean;
  /** At the end of the heading's line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One part of the home page, with a heading of its own. */
export function Card({ title, height, onRefresh, busy, aside, children }: CardProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id} mih={height} miw={0}>
      <Group justify="space-between" mb="xs" wrap="nowrap" mih={28}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {aside}
        {onRefresh && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            loading={busy}
            onClick={onRefresh}
            aria-label={t('home:refresh', { title })}
          >
            <IconRefresh size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {children}
    </Paper>
  );
}
