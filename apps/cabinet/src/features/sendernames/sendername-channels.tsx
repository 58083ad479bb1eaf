import type { Sendername, SendernameChannel } from '@heliograph/contract';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { sendernameChannelsQuery } from './sendernames.api.ts';

/** At which channels a name is registered, and which need it to be; for those who see channels. */
export function SendernameChannels({ row: { id } }: { row: Sendername }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const enabled = useCan()('channels.get', 'managerUp');
  const { data, error, refetch } = useQuery({ ...sendernameChannelsQuery(id), enabled });
  if (!enabled) return null;
  const labelOf = ({ ChannelId, isActive }: SendernameChannel) =>
    isActive ? ChannelId : t('sendernames:where.off', { name: ChannelId });
  const valueOf = ({ since, note }: SendernameChannel) =>
    since === null ? (
      <Text size="sm" c="orange.9">
        {t('sendernames:where.missing')}
      </Text>
    ) : (
      [t('sendernames:where.since', { date: formats.date(since) }), note]
        .filter(Boolean)
        .join(' · ')
    );
  return (
    <section aria-labelledby="sendername-channels">
      <Title order={2} size="h5" mb="sm" id="sendername-channels">
        {t('sendernames:where.title')}
      </Title>
      {error && (
        <ErrorCard
          title={t('sendernames:where.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data && !data.data.length && <Text size="sm">{t('sendernames:where.none')}</Text>}
      {data && data.data.length > 0 && (
        <Facts facts={data.data.map((one) => ({ label: labelOf(one), value: valueOf(one) }))} />
      )}
    </section>
  );
}
