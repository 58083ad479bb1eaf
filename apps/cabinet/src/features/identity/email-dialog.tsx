import type { User } from '@heliograph/contract';
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { Dialog, useKeepOpen } from '../../ui/dialog.tsx';
import { useChangeEmail, useSendLetter } from './identity.api.ts';

interface EmailDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The e-mail, whether it is confirmed, and another one in its place. */
export function EmailDialog({ me, opened, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:email.title')} size={440}>
      <Stack>
        <State me={me} isMailOn={isMailOn} />
        {isMailOn ? (
          <Form me={me} />
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

const FIELDS = ['data.email', 'password'] as const;

function Form({ me }: { me: User }) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useChangeEmail(me.id);
  useKeepOpen(isPending);
  const { byField, rest } = error ? split(error, FIELDS) : { byField: {}, rest: null };
  const fields: Record<string, string> = byField;
  const isReady = !!email.trim() && !!password;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isPending) return;
    const onSuccess = () => {
      setEmail('');
      setPassword('');
    };
    mutate({ email: email.trim(), password }, { onSuccess });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        <TextInput
          type="email"
          name="email"
          autoComplete="email"
          label={t('identity:email.new')}
          description={t('identity:email.hint')}
          maxLength={254}
          data-autofocus
          value={email}
          error={fields['data.email']}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          autoComplete="current-password"
          label={t('identity:password')}
          maxLength={150}
          value={password}
          error={fields.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{
            'aria-label': t('identity:show'),
            tabIndex: 0,
            'aria-hidden': false,
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {t('identity:email.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
