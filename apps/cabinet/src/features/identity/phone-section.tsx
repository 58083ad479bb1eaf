import type { User } from '@heliograph/contract';
import { PHONE_CODE } from '@heliograph/domain';
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { SubmitButton } from '../../core/forms/submit-button.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useBlur } from '../../core/privacy.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import {
  simulatedCodeQuery,
  useCancelPhone,
  useConfirmPhone,
  useSendCode,
} from './identity.api.ts';

/** The phone, what replaces it, and the code that confirms it. */
export function PhoneSection({ me, onDone }: { me: User; onDone?: () => void }) {
  const { t } = useTranslation();
  const { phoneConfirmedAt, pendingPhone, data } = me;
  const waiting = pendingPhone ?? (phoneConfirmedAt ? null : data.phone);
  // Kept here: the form of the code goes as soon as the phone is confirmed.
  const { mutateAsync } = useConfirmPhone();
  const cancel = useCancelPhone(me.id);
  const isBlurred = useBlur();
  const confirm = async (code: string) => {
    await mutateAsync(code);
    showSuccess(t('identity:phone.done'));
    onDone?.();
  };
  const phoneValues = (phone: string) => ({
    phone: isBlurred ? t('hidden', { what: t('identity:phone.title') }) : phone,
  });
  return (
    <>
      {data.phone && (
        <Text size="sm">
          {t(
            phoneConfirmedAt ? 'identity:phone.confirmed' : 'identity:phone.unconfirmed',
            phoneValues(data.phone),
          )}
        </Text>
      )}
      {pendingPhone && (
        <Text size="sm">{t('identity:phone.waiting', phoneValues(pendingPhone))}</Text>
      )}
      {waiting && <CodeForm key={waiting} phone={phoneValues(waiting)} onCode={confirm} />}
      {pendingPhone && data.phone && (
        <Group>
          <Button
            variant="default"
            size="xs"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(data.phone!)}
          >
            {t('identity:cancel')}
          </Button>
        </Group>
      )}
    </>
  );
}

interface CodeFormProps {
  phone: { phone: string };
  onCode: (code: string) => Promise<void>;
}

function CodeForm({ phone, onCode }: CodeFormProps) {
  const { t } = useTranslation();
  const sending = useSendCode();
  const [sentAt, setSentAt] = useState(0);
  const form = useContractForm({
    initial: { code: '' },
    check: ({ code }) => ({
      code: code.length < PHONE_CODE.digits && (code ? 'invalid_format' : 'required'),
    }),
    submit: ({ code }) => onCode(code),
  });
  const send = () => {
    sending.mutate(undefined, {
      onSuccess() {
        form.reset();
        setSentAt(Date.now());
      },
    });
  };
  const sendButton = (
    <Button variant={sentAt ? 'default' : 'filled'} loading={sending.isPending} onClick={send}>
      {t(sentAt ? 'identity:phone.again' : 'identity:phone.send')}
    </Button>
  );
  return (
    <ContractForm form={form}>
      {sending.error && (
        <Alert color="red" role="alert">
          {errorText(t, sending.error)}
        </Alert>
      )}
      {sentAt > 0 ? (
        <>
          <Text size="sm" role="status">
            {t('identity:phone.sent', { ...phone, minutes: PHONE_CODE.minutes })}
          </Text>
          <SimulatedPhone sentAt={sentAt} />
          <TextInput
            {...form.field('code')}
            label={t('identity:phone.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={PHONE_CODE.digits}
            data-autofocus
            autoFocus
            className="numeric"
            onChange={(event) => form.set({ code: event.currentTarget.value.replace(/\D/g, '') })}
          />
          <Group justify="flex-end">
            {sendButton}
            <SubmitButton form={form}>{t('identity:phone.confirm')}</SubmitButton>
          </Group>
        </>
      ) : (
        <Group>{sendButton}</Group>
      )}
    </ContractForm>
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
