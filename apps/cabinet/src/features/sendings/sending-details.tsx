import type { Sending } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconRepeat, IconTasks } from '../../ui/icons.ts';
import { Attempts } from './attempts.tsx';
import { DecidedNote } from './decided-note.tsx';
import { FailureNote } from './failure-note.tsx';
import { SendingBadge } from './sending-badge.tsx';
import { SendingPrice } from './sending-price.tsx';
import { usePartFacts } from './use-part-facts.tsx';

interface SendingDetailsProps {
  sending: Sending;
  onResend: () => void;
}

export function SendingDetails({ sending, onResend }: SendingDetailsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const partFacts = usePartFacts();
  const { state, payload, meta } = sending;
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const hidden = (label: string, value: string | null | undefined) => ({
    label,
    value: value && <Blurred what={label}>{value}</Blurred>,
  });
  // Only of a recipient whom no attempt has reached is something to be sent again.
  const isLost = state.status === 'failed' && state.outcome === 'failed';
  const parts = t('sendings:parts', { count: meta.stats.segments });
  const fallbacks = sending.fallbacks?.map((f) => t(`common:type.${f.type}`)).join(' → ');
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <SendingBadge {...sending} />
        </div>
        <Group gap="xs">
          {can('sendings.generate') && !isLost && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRepeat size={16} aria-hidden />}
              onClick={onResend}
            >
              {t('sendings:resend.again')}
            </Button>
          )}
          {sending.groupId && can('tasks.get') && (
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={`/messages/tasks?id=${sending.groupId}`}
              leftSection={<IconTasks size={16} aria-hidden />}
            >
              {t('sendings:detail.task')}
            </Button>
          )}
        </Group>
      </Group>
      {isLost ? (
        <FailureNote sending={sending} onResend={onResend} />
      ) : (
        <DecidedNote {...sending} />
      )}
      <Attempts sending={sending} />
      <Paper withBorder p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {payload.text ? (
          <Blurred what={t('sendings:text')}>{payload.text}</Blurred>
        ) : (
          <Text c="dimmed">{t('sendings:detail.noText')}</Text>
        )}
      </Paper>
      <Facts
        facts={[
          { label: t('sendings:type'), value: t(`common:type.${sending.type}`) },
          hidden(t('sendings:sender'), payload.sender),
          hidden(t('sendings:recipient'), sending.recipient),
          ...partFacts(payload),
          hidden(t('sendings:operator'), meta.operator?.name),
          hidden(t('sendings:owner'), sending.Owner?.username),
          {
            label: t('sendings:price'),
            value: meta.billing && (
              <Blurred what={t('sendings:price')}>
                <SendingPrice {...sending} />
              </Blurred>
            ),
          },
          {
            label: t('sendings:length'),
            value: t('sendings:detail.length', { count: meta.stats.characters, parts }),
          },
          {
            label: t('sendings:alphabet.label'),
            value: meta.stats.characters > 0 && t(`sendings:alphabet.${meta.stats.encoding}`),
          },
          { label: t('sendings:detail.fallbacks'), value: fallbacks },
          { label: t('sendings:created'), value: time(sending.createdAt) },
          { label: t('sendings:sentAt'), value: time(sending.sentAt) },
          { label: t('sendings:deliveredAt'), value: time(sending.deliveredAt) },
          { label: t('sendings:seenAt'), value: time(sending.seenAt) },
          { label: t('sendings:failedAt'), value: time(sending.failedAt) },
          { label: t('sendings:id'), value: <CopyId id={sending.id} /> },
        ]}
      />
    </Stack>
  );
}
