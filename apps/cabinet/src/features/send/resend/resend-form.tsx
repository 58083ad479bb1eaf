import { sendings, type Sending, type SendingType } from '@heliograph/contract';
import { Alert, NativeSelect, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../../core/account.ts';
import { ContractForm } from '../../../core/forms/contract-form.tsx';
import { FormFooter } from '../../../core/forms/form-footer.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../../core/settings.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { SendernameSelect } from '../../sendernames/sendername-select.tsx';
import { ResendCall } from './resend-call.tsx';
import { firstChoice, isSpoken, offeredTypes, resendInput } from './resend-values.ts';
import { useCreateSending, useSinglePrice } from '../send.api.ts';

interface ResendFormProps {
  sending: Sending;
  onClose: () => void;
  onSent: (id: string) => void;
}

const NAMES = {
  'payload.sender': 'sender',
  'payload.text': 'text',
  'payload.audio': 'audio',
  'payload.tts': 'tts',
};

/** A new message to the same recipient, by the same channel or another; its price stands on the button. */
export function ResendForm({ sending, onClose, onSent }: ResendFormProps) {
  const { t } = useTranslation();
  const priceId = useId();
  const { sendings: own, session, tools } = useSettings();
  const { data: me } = useQuery(meQuery);
  const voice = tools.speech?.voice ?? null;
  const types = offeredTypes(sending, own.types, session.OwnerId, voice);
  const { sendAsync, fault } = useCreateSending({
    onCreated(created) {
      if (!('receipt' in created)) return;
      showSuccess(t('sendings:resend.done'));
      onSent(created.receipt.id);
    },
  });
  const form = useContractForm({
    initial: firstChoice(sending, types, voice),
    schema: sendings.create.body,
    names: NAMES,
    // A message that was refused after validation may be sent again.
    repeats: true,
    toBody: (values) => resendInput(sending, values, me?.OwnerId ?? sending.OwnerId),
    submit: sendAsync,
  });
  const { values } = form;
  const OwnerId = me?.OwnerId ?? sending.OwnerId;
  const { money, text, blocked } = useSinglePrice(
    resendInput(sending, values, OwnerId),
    sending.OwnerId,
  );
  const priced = { ...form, blocked, submit: () => void (blocked ?? form.submit()) };
  const submit = money ? t('sendings:resend.submitFor', { money }) : t('sendings:resend.submit');
  return (
    <ContractForm
      form={priced}
      footer={<FormFooter form={priced} reasonId={priceId} submit={submit} onCancel={onClose} />}
    >
      {fault && !form.isPending && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <NativeSelect
        {...form.field('type')}
        label={t('sendings:type')}
        description={types.length < own.types.length && t('sendings:resend.noCall')}
        data-autofocus
        // Names belong to a channel.
        onChange={(event) =>
          form.set({ type: event.currentTarget.value as SendingType, sender: '' })
        }
        data={[...new Set([...types, values.type])].map((value) => ({
          value,
          label: t(`common:type.${value}`),
        }))}
      />
      <SendernameSelect {...form.field('sender')} type={values.type} OwnerId={sending.OwnerId} />
      {values.type === 'voice' && (
        <ResendCall
          sending={sending}
          values={values}
          onChange={form.set}
          error={form.errors.audio ?? form.errors.tts}
        />
      )}
      {(values.type !== 'voice' || isSpoken(values)) && (
        <Textarea
          {...form.field('text')}
          label={t('sendings:text')}
          autosize
          minRows={3}
          maxRows={10}
        />
      )}
      <Text id={priceId} size="sm" aria-live="polite">
        {text}
      </Text>
    </ContractForm>
  );
}
