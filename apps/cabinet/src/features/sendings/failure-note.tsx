import type { Sending } from '@heliograph/contract';
import { failureAdvice, type FailureAdvice } from '@heliograph/domain';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { IconAlertTriangle } from '../../ui/icons.ts';

/** Where sending again, the same way or another, can help. */
const RESENDS: FailureAdvice[] = [
  'retry',
  'retry_later',
  'other_channel',
  'check_text',
  'check_sender',
];

interface FailureNoteProps {
  sending: Sending;
  onResend: () => void;
}

/** Why a message did not arrive, and what to do about it. */
export function FailureNote({ sending, onResend }: FailureNoteProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { code, error } = sending.state;
  if (!code && !error) return null;
  const reason = code ? t(`sendings:error.${code}`, { defaultValue: error ?? '' }) : error;
  const advice = failureAdvice(code ?? 'unknown');
  const resends = can('sendings.generate') && RESENDS.includes(advice);
  const toInstances = advice === 'connect_instance' && can('wapi.get');
  const toSenders = advice === 'check_sender' && can('sendernames.get');
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('sendings:detail.reason')}>
      <Text size="sm" fw={500} c="var(--mantine-color-error)" data-reason>
        {reason}
      </Text>
      <Text size="sm" mt={4}>
        {t(`sendings:advice.${advice}`)}
      </Text>
      {(resends || toSenders || toInstances) && (
        <Group mt="sm" gap="xs">
          {resends && (
            <Button size="xs" onClick={onResend}>
              {t(advice === 'other_channel' ? 'sendings:resend.other' : 'sendings:resend.again')}
            </Button>
          )}
          {toInstances && (
            <Button size="xs" variant="default" component={Link} to="/settings/wapi">
              {t('common:type.wapi')}
            </Button>
          )}
          {toSenders && (
            <Button size="xs" variant="default" component={Link} to="/settings/sendernames">
              {t('sendings:toSendernames')}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}
