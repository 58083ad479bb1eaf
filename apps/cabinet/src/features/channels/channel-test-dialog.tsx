import { type Channel, type Sending, type SendingType, channels } from '@heliograph/contract';
import { TYPES_WITHOUT_TEXT } from '@heliograph/domain';
import { Code, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AttemptBadge } from '../sendings/sending-badge.tsx';
import { sendingQuery } from '../sendings/sendings.api.ts';
import { channelQuery, useTestChannel } from './channels.api.ts';

interface ChannelTestDialogProps {
  row: Channel | null;
  onClose: () => void;
}

export function ChannelTestDialog({ row, onClose }: ChannelTestDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row);
  return (
    <Dialog
      opened={!!row}
      onClose={onClose}
      title={last && t('channels:testOf', { name: last.name })}
      size={500}
      savesNothing
    >
      {last && <ChannelTestForm key={last.name} channel={last} onClose={onClose} />}
    </Dialog>
  );
}

interface ChannelTestFormProps {
  channel: Channel;
  onClose: () => void;
}

const NAMES = { 'payload.sender': 'sender', 'payload.text': 'text' };
const hasText = (type: SendingType) => !TYPES_WITHOUT_TEXT.includes(type);
const CODES: readonly SendingType[] = ['flashcall', 'telegramcode'];
/** The voice of a call that is spoken from the text. */
const VOICE = 'polly:maxim';

/** One message through a channel, though it is switched off, and what becomes of it. */
function ChannelTestForm({ channel, onClose }: ChannelTestFormProps) {
  const { t } = useTranslation();
  const { mutateAsync, data: receipt } = useTestChannel(channel.name);
  const form = useContractForm({
    initial: {
      type: channel.types[0] ?? ('sms' as SendingType),
      recipient: '',
      sender: '',
      text: t('channels:testText'),
    },
    schema: channels.test.body,
    names: NAMES,
    repeats: true,
    toBody: ({ type, recipient, sender, text }) => ({
      type,
      recipient: recipient.trim(),
      payload: {
        sender: sender.trim(),
        ...(hasText(type) && { text }),
        ...(type === 'email' && { subject: text.slice(0, 100) }),
        ...(type === 'voice' && { tts: VOICE }),
      },
    }),
    submit: mutateAsync,
  });
  const { type } = form.values;
  const chooseType = (chosen: SendingType) => {
    const isCode = CODES.includes(chosen);
    form.set({
      type: chosen,
      ...(isCode !== CODES.includes(type) && { text: isCode ? '1234' : t('channels:testText') }),
    });
  };
  const submit = t(receipt ? 'channels:testAgain' : 'channels:testSend');
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter form={form} submit={submit} cancel={t('common:close')} onCancel={onClose} />
      }
    >
      <Text size="sm">{t('channels:testHint')}</Text>
      {channel.types.length > 1 && (
        <NativeSelect
          {...form.field('type')}
          label={t('channels:type')}
          onChange={(event) => chooseType(event.currentTarget.value as SendingType)}
          data={channel.types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
        />
      )}
      <TextInput
        {...form.field('recipient')}
        label={t(type === 'email' ? 'channels:email' : 'channels:phone')}
        type={type === 'email' ? 'email' : 'tel'}
        required
        data-autofocus
        autoComplete="off"
      />
      <TextInput
        {...form.field('sender')}
        label={t('channels:sender')}
        required
        autoComplete="off"
        maxLength={150}
      />
      {hasText(type) && (
        <Textarea
          {...form.field('text')}
          label={t('channels:text')}
          required
          autosize
          minRows={2}
          maxLength={1000}
        />
      )}
      {receipt && <Outcome key={receipt.id} id={receipt.id} channel={channel.name} />}
    </ContractForm>
  );
}

const ASK_MS = 1000;
const isOver = (sending?: Sending) =>
  !!sending && ['delivered', 'seen', 'failed'].includes(sending.state.status);

/** The status of the message, polled every second until it is final, and the last error of the channel. */
function Outcome({ id, channel }: { id: string; channel: string }) {
  const { t } = useTranslation();
  const { data: sending } = useQuery({
    ...sendingQuery(id),
    refetchInterval: ({ state }) => !isOver(state.data) && ASK_MS,
  });
  const { data: now } = useQuery(channelQuery(channel));
  const status = sending?.state.status ?? 'pending';
  const code = sending?.state.code;
  const lastError = status === 'failed' && now?.state.failingSince && now.state.error;
  return (
    <Stack gap="xs" role="status">
      <Group gap="sm">
        <AttemptBadge status={status} />
        <Text size="sm">
          {code
            ? t(`sendings:error.${code}`, { defaultValue: sending.state.error ?? code })
            : t(
                `channels:outcome.${isOver(sending) ? 'arrived' : status === 'sent' ? 'taken' : 'waits'}`,
              )}
        </Text>
      </Group>
      {lastError && <Code block>{lastError}</Code>}
    </Stack>
  );
}
