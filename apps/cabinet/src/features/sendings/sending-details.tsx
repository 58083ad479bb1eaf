import type { Sending } from '@heliograph/contract';
import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { Money } from '../../ui/money.tsx';
import { SendingBadge } from './sending-badge.tsx';
import { SendingTimeline } from './sending-timeline.tsx';

export function SendingDetails({ sending }: { sending: Sending }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, payload, meta } = sending;
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const reason =
    state.code && t(`sendings:error.${state.code}`, { defaultValue: state.error ?? '' });
  const parts = t('sendings:parts', { count: meta.stats.segments });
  return (
    <Stack>
      <div>
        <SendingBadge status={state.status} />
      </div>
      {(reason || state.error) && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('sendings:detail.reason')}
        >
          {reason || state.error}
        </Alert>
      )}
      <Paper withBorder p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {payload.text || <Text c="dimmed">{t('sendings:detail.noText')}</Text>}
      </Paper>
      <Facts
        facts={[
          { label: t('sendings:type'), value: t(`common:type.${sending.type}`) },
          { label: t('sendings:sender'), value: payload.sender },
          {
            label: t('sendings:recipient'),
            value: <span className="numeric">{sending.recipient}</span>,
          },
          { label: t('sendings:operator'), value: meta.operator?.name },
          { label: t('sendings:owner'), value: sending.Owner?.username },
          {
            label: t('sendings:price'),
            value: meta.billing && (
              <Money
                value={Math.abs(meta.billing.amount)}
                refunded={meta.billing.refunded && t('common:refunded')}
              />
            ),
          },
          {
            label: t('sendings:length'),
            value: t('sendings:detail.length', { count: meta.stats.characters, parts }),
          },
          { label: t('sendings:created'), value: time(sending.createdAt) },
          { label: t('sendings:sentAt'), value: time(sending.sentAt) },
          { label: t('sendings:deliveredAt'), value: time(sending.deliveredAt) },
          { label: t('sendings:seenAt'), value: time(sending.seenAt) },
          { label: t('sendings:failedAt'), value: time(sending.failedAt) },
          { label: t('sendings:id'), value: <CopyId id={sending.id} /> },
        ]}
      />
      {!!sending.timeline?.length && (
        <section aria-labelledby="sending-timeline">
          <Title order={2} size="h5" mb="sm" id="sending-timeline">
            {t('sendings:timeline.title')}
          </Title>
          <SendingTimeline events={sending.timeline} />
        </section>
      )}
    </Stack>
  );
}
