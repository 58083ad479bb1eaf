import type { Sending, Status } from '@heliograph/contract';
import { outcomeOfFailure, statusImpliesOutcome } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
export function SendingBadge({ state }: Pick<Sending, 'state'>) {
  const { t } = useTranslation();
  const { status, outcome, code } = state;
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
