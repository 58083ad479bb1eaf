import type { Channel, Sending, SendingType } from '@heliograph/contract';
import { TYPES_WITHOUT_TEXT } from '@heliograph/contract';
import {
  Alert,
  Button,
  Code,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { AttemptBadge } from '../sendings/sending-badge.tsx';
import { sendingQuery } from '../sendings/sendings.api.ts';
import { channelQuery, useTestChannel } from './channels.api.ts';

interface ChannelTestFormProps {
  channel: Channel;
  onClose: () => void;
}

const FIELDS = ['type', 'recipient', 'payload.sender', 'payload.text'];
const CODES: readonly SendingType[] = ['flashcall', 'telegramcode'];
/** The voice of a call that is spoken from the text. */
const VOICE = 'polly:maxim';

/** One message through a channel, though it is switched off, and what becomes of it. */
export function ChannelTestForm({ channel, onClose }: ChannelTestFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { mutate, data: receipt, isPending, error } = useTestChannel(channel.name);
  useKeepOpen(isPending);
  const [type, setType] = useState(channel.types[0] ?? 'sms');
  const [recipient, setRecipient] = useState('');
  const [sender, setSender] = useState('');
  const [text, setText] = useState(() => t('channels:testText'));
  const { byField, rest } = error ? split(error, FIELDS) : { byField: {}, rest: null };
  const fields: Record<string, string> = byField;
  const hasText = !TYPES_WITHOUT_TEXT.includes(type);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const payload = {
      sender: sender.trim(),
      ...(hasText && { text }),
      ...(type === 'email' && { subject: text.slice(0, 100) }),
      ...(type === 'voice' && { tts: VOICE }),
    };
    mutate({ type, recipient: recipient.trim(), payload });
  };
  const chooseType = (chosen: SendingType) => {
    setType(chosen);
    if (CODES.includes(chosen) !== CODES.includes(type))
      setText(CODES.includes(chosen) ? '1234' : t('channels:testText'));
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('channels:testHint')}</Text>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        {channel.types.length > 1 && (
          <NativeSelect
            label={t('channels:type')}
            value={type}
            onChange={(event) => chooseType(event.currentTarget.value as SendingType)}
            data={channel.types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
            error={fields.type}
          />
        )}
        <TextInput
          label={t(type === 'email' ? 'channels:email' : 'channels:phone')}
          type={type === 'email' ? 'email' : 'tel'}
          required
          data-autofocus
          autoComplete="off"
          value={recipient}
          onChange={(event) => setRecipient(event.currentTarget.value)}
          error={fields.recipient}
        />
        <TextInput
          label={t('channels:sender')}
          required
          autoComplete="off"
          maxLength={150}
          value={sender}
          onChange={(event) => setSender(event.currentTarget.value)}
          error={fields['payload.sender']}
        />
        {hasText && (
          <Textarea
            label={t('channels:text')}
            required
            autosize
            minRows={2}
            maxLength={1000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={fields['payload.text']}
          />
        )}
        {receipt && <Outcome key={receipt.id} id={receipt.id} channel={channel.name} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:close')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!recipient.trim() || !sender.trim()}>
            {t(receipt ? 'channels:testAgain' : 'channels:testSend')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const ASK_MS = 1000;
const isOver = (sending?: Sending) =>
  !!sending && ['delivered', 'seen', 'failed'].includes(sending.state.status);

/** How the message fares, asked for every second until it has ended, and what the channel said last. */
function Outcome({ id, channel }: { id: string; channel: string }) {
  const { t } = useTranslation();
  const { data: sending } = useQuery({
    ...sendingQuery(id),
    refetchInterval: ({ state }) => !isOver(state.data) && ASK_MS,
  });
  const { data: now } = useQuery(channelQuery(channel));
  const status = sending?.state.status ?? 'pending';
  const code = sending?.state.code;
  const said = status === 'failed' && now?.state.failingSince && now.state.error;
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
      {said && <Code block>{said}</Code>}
    </Stack>
  );
}
