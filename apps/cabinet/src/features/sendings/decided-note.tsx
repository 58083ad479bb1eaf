import type { Sending } from '@heliograph/contract';
import { STOPPED, statusImpliesOutcome } from '@heliograph/domain';
import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OUTCOME_APPEARANCE } from './sending-appearance.ts';

/** Says that another attempt decided the outcome, and why this one failed where no list of attempts shows it. */
export function DecidedNote({ state, attempts = [] }: Pick<Sending, 'state' | 'attempts'>) {
  const { t } = useTranslation();
  const { status, outcome, code, error } = state;
  if (statusImpliesOutcome(status, outcome)) return null;
  const { icon: OutcomeIcon, color } = OUTCOME_APPEARANCE[outcome];
  const isShownElsewhere = attempts.length > 1 || code === STOPPED;
  const reason =
    !isShownElsewhere && code && t(`sendings:error.${code}`, { defaultValue: error ?? code });
  return (
    <Alert color={color} icon={<OutcomeIcon aria-hidden />}>
      <Text size="sm" fw={500}>
        {t(`sendings:decided.${outcome}`)}
      </Text>
      {reason && (
        <Text size="sm" mt={4}>
          {reason}
        </Text>
      )}
    </Alert>
  );
}
