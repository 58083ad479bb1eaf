import type { User } from '@heliograph/contract';
import { PHONE_CODE } from '@heliograph/domain';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import {
  simulatedCodeQuery,
  useChangeIdentity,
  useConfirmPhone,
  useSendCode,
} from './identity.api.ts';

interface PhoneDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The phone, the code that confirms it, and another one in its place. */
export function PhoneDialog({ me, opened, onClose }: PhoneDialogProps) {
  const { t } = useTranslation();
  const { phoneConfirmedAt, pendingPhone, data } = me;
  const waiting = pendingPhone ?? (phoneConfirmedAt ? null : data.phone);
  const [isChanging, setChanging] = useState(false);
  const change = useChangeIdentity(me.id, 'phone');
  // Kept here: what asks for the code goes as soon as the phone is confirmed.
  const confirming = useConfirmPhone();
  const isBlurred = useBlur();
  const title = t('identity:phone.title');
  const confirm = (code: string) => {
    const onSuccess = () => {
      showSuccess(t('identity:phone.done'));
      onClose();
    };
    confirming.mutate(code, { onSuccess });
  };
  const said = (phone: string) => ({ phone: isBlurred ? t('hidden', { what: title }) : phone });
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440}>
      <Stack>
        {data.phone && (
          <Text size="sm">
            {t(
              phoneConfirmedAt ? 'identity:phone.confirmed' : 'identity:phone.unconfirmed',
              said(data.phone),
            )}
          </Text>
        )}
        {pendingPhone && <Text size="sm">{t('identity:phone.waiting', said(pendingPhone))}</Text>}
        {waiting && (
          <CodeForm key={waiting} told={said(waiting)} confirming={confirming} onCode={confirm} />
        )}
        {waiting && !isChanging ? (
          <Group>
            <Button variant="subtle" size="xs" px={0} onClick={() => setChanging(true)}>
              {t('identity:phone.other')}
            </Button>
          </Group>
        ) : (
          <IdentityForm
            field="phone"
            hint={t('identity:phone.hint')}
            change={change}
            onDone={() => setChanging(false)}
          />
        )}
      </Stack>
    </Dialog>
  );
}

interface CodeFormProps {
  told: { phone: string };
  confirming: ReturnType<typeof useConfirmPhone>;
  onCode: (code: string) => void;
}

function CodeForm({ told, confirming, onCode }: CodeFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const sending = useSendCode();
  const { isPending, error, reset } = confirming;
  const [sentAt, setSentAt] = useState(0);
  const [code, setCode] = useState('');
  useKeepOpen(isPending);
  const { byField, rest } = error ? split(error, ['code']) : { byField: {}, rest: null };
  const fields: Record<string, string> = byField;
  const refusal = sending.error ? errorText(t, sending.error) : rest;
  const isReady = code.length === PHONE_CODE.digits;
  const send = () => {
    reset();
    sending.mutate(undefined, {
      onSuccess() {
        setCode('');
        setSentAt(Date.now());
      },
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isPending) onCode(code);
  };
  const sendButton = (
    <Button variant={sentAt ? 'default' : 'filled'} loading={sending.isPending} onClick={send}>
      {t(sentAt ? 'identity:phone.again' : 'identity:phone.send')}
    </Button>
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        {sentAt > 0 ? (
          <>
            <Text size="sm" role="status">
              {t('identity:phone.sent', { ...told, minutes: PHONE_CODE.minutes })}
            </Text>
            <SimulatedPhone sentAt={sentAt} />
            <TextInput
              name="code"
              label={t('identity:phone.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={PHONE_CODE.digits}
              data-autofocus
              autoFocus
              className="numeric"
              value={code}
              error={fields.code}
              onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
            />
            <Group justify="flex-end">
              {sendButton}
              <Button type="submit" loading={isPending} disabled={!isReady}>
                {t('identity:phone.confirm')}
              </Button>
            </Group>
          </>
        ) : (
          <Group>{sendButton}</Group>
        )}
      </Stack>
    </form>
  );
}

/** In a demonstration nobody's phone rings: what it would show stands here. */
function SimulatedPhone({ sentAt }: { sentAt: number }) {
  const { t } = useTranslation();
  const { simulator } = useSettings().tools;
  const { data } = useQuery(simulatedCodeQuery(simulator ? sentAt : 0));
  if (!data) return null;
  return (
    <Alert color="blue" role="note" title={t('identity:phone.simulated')}>
      {data}
    </Alert>
  );
}
