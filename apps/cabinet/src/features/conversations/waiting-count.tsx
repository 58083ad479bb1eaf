import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { waitingQuery } from './waiting.api.ts';

/** In the menu: how many conversations of the account wait for an answer; nothing while none does. */
export function WaitingCount() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { OwnerId } = useSettings().session;
  const refetchInterval = usePolling('conversations');
  const { data } = useQuery({ ...waitingQuery(OwnerId), refetchInterval });
  if (!data?.total) return null;
  return (
    <Badge component="span" variant="light" size="sm" ms="auto" px={6}>
      <span aria-hidden>{formats.number(data.total)}</span>
      <span className="visually-hidden">{t('shell:nav.waiting', { number: data.total })}</span>
    </Badge>
  );
}
