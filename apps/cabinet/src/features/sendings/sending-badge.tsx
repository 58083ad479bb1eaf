import type { Sending, Status } from '@heliograph/contract';
import { outcomeOfFailure, statusImpliesOutcome } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isAhead } from '../../core/due.ts';
import { useFormats } from '../../core/use-formats.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { OUTCOME_APPEARANCE, SENDING_APPEARANCE } from './sending-appearance.ts';

/** The status of an attempt. */
export function AttemptBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <StatusBadge appearance={SENDING_APPEARANCE[status]} label={t(`common:status.${status}`)} />
  );
}

/** The outcome for the recipient; below it the status of this attempt where another one decided the outcome. */
export function SendingBadge({ state, dueAt }: Pick<Sending, 'state' | 'dueAt'>) {
  const { t } = useTranslation();
  const { status, outcome, code } = state;
  if (status === 'pending' && isAhead(dueAt)) return <Waiting until={dueAt} />;
  if (statusImpliesOutcome(status, outcome)) return <AttemptBadge status={status} />;
  const isStopped = outcome === 'cancelled' && outcomeOfFailure(code) === 'cancelled';
  return (
    <>
      <StatusBadge
        appearance={OUTCOME_APPEARANCE[outcome]}
        label={t(`sendings:outcome.${outcome}`)}
      />
      {!isStopped && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'normal' }}>
          {t('sendings:thisAttempt', { status: t(`common:status.${status}`) })}
        </Text>
      )}
    </>
  );
}

/** A message that is not sent at once, such as one in quiet hours. */
function Waiting({ until }: { until: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <AttemptBadge status="pending" />
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'normal' }}>
        {t('sendings:waitsUntil', { time: formats.dateTimeShort(until) })}
      </Text>
    </>
  );
}
