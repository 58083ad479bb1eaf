import type { User } from '@heliograph/contract';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useCancelEmail, useSendLetter } from './identity.api.ts';

/** What waits to be confirmed, with the letter once more and the way to take the change back. */
export function EmailSection({ me }: { me: User }) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  const { mutate, isPending, error } = useSendLetter();
  const cancel = useCancelEmail();
  const { pendingEmail, emailConfirmedAt, data } = me;
  const isBlurred = useBlur();
  const said = (email: string) => ({
    email: isBlurred ? t('hidden', { what: t('identity:email.title') }) : email,
  });
  const mayAsk = isMailOn && !!(pendingEmail ?? (!emailConfirmedAt && data.email));
  const send = () =>
    mutate(undefined, {
      onSuccess: ({ email }) => showSuccess(t('identity:email.sent', said(email))),
    });
  return (
    <>
      {data.email && (
        <Text size="sm">
          {t(
            emailConfirmedAt ? 'identity:email.confirmed' : 'identity:email.unconfirmed',
            said(data.email),
          )}
        </Text>
      )}
      {pendingEmail && (
        <Alert color="blue" role="status">
          {t('identity:email.waiting', said(pendingEmail))}
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
