import { Anchor, Group, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMayOpen } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { placeOf, summaryOf, wordsOf } from './notification-words.ts';
import classes from './notifications.module.css';
import { latestQuery } from './notifications.api.ts';
import { ReadMark } from './read-mark.tsx';
import { useReadVisible } from './use-read-visible.ts';

/** The last ten, in the popup. */
export function LatestNotifications({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const hasPage = useMayOpen()('/notifications');
  const { data, error, refetch } = useQuery(latestQuery);
  const rows = data?.data ?? [];
  useReadVisible(rows);
  return (
    <Stack gap={0}>
      {error && !data ? (
        <ErrorCard title={t('notifications:failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Stack p="sm" aria-busy>
          {[0, 1, 2].map((n) => (
            <Skeleton key={n} height={44} />
          ))}
        </Stack>
      ) : rows.length === 0 ? (
        <Text size="sm" p="md">
          {t('notifications:empty.title')}
        </Text>
      ) : (
        <ScrollArea.Autosize mah="min(60dvh, 480px)" type="auto">
          <ul className={classes.latest}>
            {rows.map((row) => {
              const words = wordsOf(t, formats, row);
              return (
                <li key={row.id} data-row={row.id}>
                  <Entry
                    to={placeOf(row) ?? (hasPage ? `/notifications?id=${row.id}` : null)}
                    onLeave={onLeave}
                  >
                    <Group justify="space-between" wrap="nowrap" gap="xs">
                      <Text size="sm" fw={row.isRead ? 500 : 700}>
                        {words.title}
                      </Text>
                      <ReadMark isRead={row.isRead} />
                    </Group>
                    <Text size="xs" lineClamp={2}>
                      {summaryOf(words)}
                    </Text>
                    <Text size="xs" c="dimmed">
                      <time dateTime={row.createdAt}>{formats.dateTime(row.createdAt)}</time>
                    </Text>
                  </Entry>
                </li>
              );
            })}
          </ul>
        </ScrollArea.Autosize>
      )}
      {hasPage && (
        <Anchor component={Link} to="/notifications" onClick={onLeave} size="sm" p="sm" ta="center">
          {t('notifications:all')}
        </Anchor>
      )}
    </Stack>
  );
}

interface EntryProps {
  /** Null: what it tells of has no page that the reader may open. */
  to: string | null;
  onLeave: () => void;
  children: ReactNode;
}

function Entry({ to, onLeave, children }: EntryProps) {
  return to === null ? (
    <div>{children}</div>
  ) : (
    <Link to={to} onClick={onLeave}>
      {children}
    </Link>
  );
}
