import { resendOf, sendings, type SendingType } from '@heliograph/contract';
import { Alert, NativeSelect, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../../core/account.ts';
import { ContractForm } from '../../../core/forms/contract-form.tsx';
import { FormFooter } from '../../../core/forms/form-footer.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { fetched } from '../../../core/lost-chunk.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useSettings } from '../../../core/settings.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { useFormats } from '../../../core/use-formats.ts';
import { useLast } from '../../../core/use-last.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SendernameSelect } from '../../sendernames/sendername-select.tsx';
import { useOnlySendername } from '../../sendernames/sendernames.api.ts';
import { usePrices } from '../form/use-prices.ts';
import { AttachmentField } from '../media/attachment-field.tsx';
import { NoRecordings, voiceOptions } from '../media/voice-options.tsx';
import { useCreateSending, usePriceOf, type Created } from '../send.api.ts';
import {
  changedType,
  firstChoice,
  isMarkdown,
  isSpoken,
  offeredTypes,
  resendInput,
  mayRecord,
  type Resent,
  type ResendValues,
} from './resend-values.ts';

interface ResendDialogProps {
  sending: Resent;
  opened: boolean;
  onClose: () => void;
  /** The id of the new message, or of the new task. */
  onSent: (id: string) => void;
}

export function ResendDialog({ sending: given, opened, onClose, onSent }: ResendDialogProps) {
  const { t } = useTranslation();
  const sending = useLast(given, opened);
  const plain = usePlainText(sending);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={500}
      title={
        typeof sending.recipient === 'string'
          ? t('sendings:resend.title', { recipient: sending.recipient })
          : t(`sendings:resend.titleOf.${resendOf(sending.recipient)?.audience ?? 'failed'}`)
      }
    >
      {(plain !== undefined || !isMarkdown(sending)) && (
        <ResendForm
          key={sending.id}
          sending={{ ...sending, plain }}
          onClose={onClose}
          onSent={onSent}
        />
      )}
    </Dialog>
  );
}

/** A text in Markdown without its marks, once they can be read. */
function usePlainText(sending: Resent): string | undefined {
  const text = sending.payload.text ?? '';
  return useQuery({
    queryKey: keysOf('sendings').of('plainText', text),
    queryFn: async () =>
      (await fetched(() => import('@heliograph/domain/formatted-text'))).formattedPlain(text),
    enabled: isMarkdown(sending),
  }).data;
}

interface ResendFormProps {
  sending: Resent;
  onClose: () => void;
  onSent: (id: string) => void;
}

const NAMES = {
  'payload.sender': 'sender',
  'payload.text': 'text',
  'payload.audio': 'audio',
  'payload.tts': 'tts',
};

/** A new message to the same recipient or recipients, by the same channel or another; its price stands on the button. */
export function ResendForm({ sending, onClose, onSent }: ResendFormProps) {
  const { t } = useTranslation();
  const priceId = useId();
  const formats = useFormats();
  const { sendings: own, session, tools } = useSettings();
  const { data: me } = useQuery(meQuery);
  const voice = tools.speech?.voice ?? null;
  const types = offeredTypes(sending, own.types, session.OwnerId, voice);
  const { sendAsync, fault } = useCreateSending({ onCreated() {} });
  const [isSent, setSent] = useState(false);
  const form = useContractForm({
    initial: firstChoice(sending, types, voice),
    schema: sendings.create.body,
    names: NAMES,
    // A message that was refused after validation may be sent again.
    repeats: true,
    toBody: (values) => resendInput(sending, values, me?.OwnerId ?? sending.OwnerId),
    submit: sendAsync,
    // Not before the form is saved: it would ask whether its changes are to be discarded.
    onDone(created) {
      if ('receipt' in created && created.receipt.status === 'failed') return;
      setSent(true);
      showSuccess(t('sendings:resend.done'));
      onSent(idOf(created));
    },
  });
  const { values } = form;
  const OwnerId = me?.OwnerId ?? sending.OwnerId;
  useOnlySendername(values.type, values.sender, (sender) => form.set({ sender }));
  const { money, text, blocked, recipients, skipped } = usePriceOf(
    resendInput(sending, values, OwnerId),
    sending.OwnerId,
    isSent || form.isPending,
  );
  const priced = { ...form, blocked, submit: () => void (blocked ?? form.submit()) };
  const submit = !money
    ? t('sendings:resend.submit')
    : typeof sending.recipient === 'string'
      ? t('sendings:resend.submitFor', { money })
      : t('sendings:resend.submitMany', {
          count: recipients ?? 0,
          number: formats.number(recipients ?? 0),
          money,
        });
  const leftOut = Object.entries(skipped).filter(([, count]) => count > 0);
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
        onChange={(event) =>
          form.set(changedType(sending, values, event.currentTarget.value as SendingType))
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
      {leftOut.length > 0 && (
        <Text size="sm" c="dimmed" className="numeric">
          {t('sendings:resend.leftOut', {
            reasons: leftOut
              .map(([reason, count]) =>
                t('sendings:resend.leftOutBecause', {
                  reason: t(`common:skip.${reason}`, { defaultValue: reason }),
                  count: formats.number(count),
                }),
              )
              .join(', '),
          })}
        </Text>
      )}
      <Text id={priceId} size="sm" aria-live="polite">
        {text}
      </Text>
    </ContractForm>
  );
}

const idOf = (created: Created): string =>
  'task' in created ? created.task.id : created.receipt.id;

interface ResendCallProps {
  sending: Resent;
  values: ResendValues;
  onChange: (patch: Partial<ResendValues>) => void;
  error?: ReactNode;
}

/** The content of a call: the text spoken by a voice, or a recording where the tariff bills seconds. */
function ResendCall({ sending, values: { audio, tts }, onChange, error }: ResendCallProps) {
  const { t } = useTranslation();
  const { session, tools } = useSettings();
  const { hasPerSecondPrice } = usePrices();
  const isOwn = sending.OwnerId === session.OwnerId;
  const voices = voiceOptions(tools.speech?.voices ?? [], tts, (number) =>
    t('send:speech.synthesizer', { number }),
  );
  const recording = mayRecord(sending, session.OwnerId)
    ? [{ value: '', label: t('send:speech.recording') }]
    : [];
  const choose = (value: string) =>
    onChange({ tts: value || null, audio: value ? null : (sending.payload.audio ?? null) });
  return (
    <>
      {voices.length > 0 && (
        <NativeSelect
          data-path="tts"
          label={t('send:speech.source')}
          value={audio ? '' : (tts ?? '')}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[...recording, ...voices]}
          error={isOwn ? undefined : error}
        />
      )}
      {(audio || !tts) &&
        isOwn &&
        (hasPerSecondPrice === false ? (
          <NoRecordings onRemove={audio ? () => onChange({ audio: null }) : undefined} />
        ) : (
          <AttachmentField
            type="voice"
            media={['audio']}
            label={t('send:addAudio')}
            value={audio}
            onChange={(id) => onChange({ audio: id })}
            error={error}
            field="audio"
          />
        ))}
    </>
  );
}
