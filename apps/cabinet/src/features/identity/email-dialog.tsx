import type { User } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import { useChangeIdentity, useSendLetter } from './identity.api.ts';

interface EmailDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The e-mail, whether it is confirmed, and another one in its place. */
export function EmailDialog({ me, opened, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  const change = useChangeIdentity(me.id, 'email');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:email.title')} size={440}>
      <Stack>
        <State me={me} isMailOn={isMailOn} />
        {isMailOn ? (
          <IdentityForm field="email" hint={t('identity:email.hint')} change={change} />
        ) : (
          <Alert color="blue" role="note">
            {t('errors:code.mail_off')}
          </Alert>
        )}
      </Stack>
    </Dialog>
  );
}

/** What waits to be confirmed, with the letter once more. */
function State({ me, isMailOn }: { me: User; isMailOn: boolean }) {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useSendLetter();
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
        </Group>
      )}
    </>
  );
}
