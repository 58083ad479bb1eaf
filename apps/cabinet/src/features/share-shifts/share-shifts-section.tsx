import { SHARE_TOTAL } from '@heliograph/domain';
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { shiftsQuery } from './share-shifts.api.ts';

interface ShareShiftsProps {
  /** The shifts of a route, each with its channel, or those of a channel, each with its route. */
  of: { RouteId: string } | { ChannelId: string };
  /** Whether there is nothing to see without shifts. */
  hidesNone?: boolean;
}

/** The last changes of shares by how channels deliver, and why. */
export function ShareShifts({ of, hidesNone }: ShareShiftsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(shiftsQuery(of));
  if (!data || (hidesNone && !data.data.length)) return null;
  const percent = (ratio: number) => formats.percent(ratio);
  return (
    <section aria-labelledby="share-shifts">
      <Title order={2} size="h5" mb="sm" id="share-shifts">
        {t('shareShifts:title')}
      </Title>
      {!data.data.length && <Text size="sm">{t('shareShifts:none')}</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map(({ id, route, ChannelId, before, after, reason, figures, createdAt }) => (
          <li key={id}>
            <Text size="sm">
              {t('shareShifts:line', {
                name: 'RouteId' in of ? ChannelId : route.title,
                before: percent(before / SHARE_TOTAL),
                after: percent(after / SHARE_TOTAL),
              })}
            </Text>
            <Text size="sm" c="dimmed">
              {formats.dateTime(createdAt)} ·{' '}
              {t(`shareShifts:reason.${reason}`, {
                own: figures && percent(figures.own),
                others: figures && percent(figures.others),
                number: figures && formats.number(figures.count),
              })}
            </Text>
          </li>
        ))}
      </Stack>
    </section>
  );
}
