import type { User } from '@heliograph/contract';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useCancelEmail, useSendEmailConfirmation } from './identity.api.ts';

/** The address and the one that is to be confirmed; sends the confirmation e-mail again and cancels the change. */
export function EmailSection({ me }: { me: User }) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  const { mutate, isPending, error } = useSendEmailConfirmation();
  const cancel = useCancelEmail();
  const { pendingEmail, emailConfirmedAt, data } = me;
  const isBlurred = useBlur();
  const emailValues = (email: string) => ({
    email: isBlurred ? t('hidden', { what: t('identity:email.title') }) : email,
  });
  const mayAsk = isMailOn && !!(pendingEmail ?? (!emailConfirmedAt && data.email));
  const send = () =>
    mutate(undefined, {
      onSuccess: ({ email }) => showSuccess(t('identity:email.sent', emailValues(email))),
    });
  return (
    <>
      {data.email && (
        <Text size="sm">
          {t(
            emailConfirmedAt ? 'identity:email.confirmed' : 'identity:email.unconfirmed',
            emailValues(data.email),
          )}
        </Text>
      )}
      {pendingEmail && (
        <Alert color="blue" role="status">
          {t('identity:email.waiting', emailValues(pendingEmail))}
        </Alert>
      )}
      {!!error && (
        <Alert color="red" role="alert">
          {errorText(t, error)}
        </Alert>
      )}
      {mayAsk && (
        <Group>
          <Button variant="default" size="xs" loading={isPending} onClick={send}>
            {t(pendingEmail ? 'identity:email.again' : 'identity:email.confirm')}
          </Button>
          {pendingEmail && (
            <Button
              variant="default"
              size="xs"
              loading={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {t('identity:cancel')}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}
