import { conversations, type Conversation, type SendingType } from '@heliograph/contract';
import { literalText } from '@heliograph/domain';
import { Alert, Button, NativeSelect, SimpleGrid, Text, Textarea } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { draftKey as keyOfDraft, readDraft, saveDraft } from '../../core/drafts.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { insertAt } from '../../ui/variables.ts';
import { SegmentMeter } from '../send/text/segment-meter.tsx';
import { usePriceOf } from '../send/send.api.ts';
import { SavedAnswerSelect } from './saved-answer-select.tsx';
import { unfilledIn } from './saved-answers.ts';

interface Channel {
  type: SendingType;
  sender: string;
}

/** Also changes the ledger and the estimate of the next message. */
const CHANGED = ['conversations', 'sendings', 'billings', 'estimates'] as const;

/** The channels by which the account can answer, of those to which the person wrote. */
export function replyChannels(
  { channels = [], OwnerId }: Conversation,
  own: { OwnerId: string; types: readonly SendingType[] },
): Channel[] {
  // Which types another account sends, only the server knows.
  return channels.filter(({ type }) => OwnerId !== own.OwnerId || own.types.includes(type));
}

interface ReplyFormProps {
  conversation: Conversation;
  /** The last message that the form's user sees. */
  lastId: string | undefined;
}

export function ReplyForm({ conversation, lastId }: ReplyFormProps) {
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  const channels = replyChannels(conversation, { ...session, types: sendings.types });
  if (conversation.channels && !channels.length)
    return (
      <Alert color="yellow" title={t('conversations:reply.none')}>
        <Button
          component={Link}
          variant="default"
          to={`/send?${new URLSearchParams({ recipient: conversation.address })}`}
        >
          {t('conversations:reply.other')}
        </Button>
      </Alert>
    );
  return channels.length > 0 && <Form {...{ conversation, lastId, channels }} />;
}

/** Undoes `literalText`. */
const plainText = (text: string) => text.replaceAll('{{', '{').replaceAll('}}', '}');

const keyOf = ({ type, sender }: Channel) => `${type} ${sender}`;

function Form({ conversation, lastId, channels }: ReplyFormProps & { channels: Channel[] }) {
  const { t } = useTranslation();
  const priceId = useId();
  const { id, address, OwnerId, optOuts = [] } = conversation;
  const { session } = useSettings();
  const draftKey = keyOfDraft(session.UserId, `reply.${id}`);
  const draft = () => readDraft(draftKey)?.text ?? '';
  const [fault, setFault] = useState<string | null>(null);
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: { text: string; messageId?: string } & Channel) =>
      api(conversations.reply, { params: { id }, body }),
    onSuccess(receipt, { text }) {
      // Also when another conversation is open by now: what was sent must not come back as a draft.
      if (receipt.status !== 'failed' && draft() === text) saveDraft(draftKey, null);
    },
    meta: { invalidates: CHANGED, waitsForRefetch: false, showsErrors: true },
  });
  /** The last message that was seen when the reply was first sent: a repetition is the same call, with the same key. */
  const seen = useRef<{ reply: string; messageId: string | undefined }>(undefined);
  const seenBefore = (reply: string): string | undefined => {
    if (seen.current?.reply !== reply) seen.current = { reply, messageId: lastId };
    return seen.current.messageId;
  };
  const chosen = (channel: string) =>
    channels.find((one) => keyOf(one) === channel) ?? channels[0]!;
  const form = useContractForm({
    initial: { channel: keyOf(channels[0]!), text: draft() },
    schema: conversations.reply.body,
    names: { type: 'channel', sender: 'channel' },
    // A reply that was refused may be sent again.
    repeats: true,
    toBody: ({ channel, text }) => {
      const { type, sender } = chosen(channel);
      return { text, type, sender, messageId: seenBefore(`${channel} ${text}`) };
    },
    submit: mutateAsync,
    onDone(receipt, { channel }) {
      if (receipt.status === 'failed') {
        const defaultValue = receipt.error ?? t('errors:unknown');
        return setFault(t(`sendings:error.${receipt.code ?? 'unknown'}`, { defaultValue }));
      }
      seen.current = undefined;
      // What was written since is the next reply.
      form.restart({ channel, text: draft() });
    },
  });
  const { channel, text } = form.values;
  const { type, sender } = chosen(channel);
  const price = usePriceOf(
    {
      type,
      recipient: address,
      payload: { sender, text: literalText(text) },
      ...(OwnerId !== session.OwnerId && { OwnerId }),
    },
    OwnerId,
  );
  const submit = (): void => {
    setFault(null);
    if (!price.blocked) form.submit();
  };
  const priced = { ...form, blocked: form.blocked ?? price.blocked, submit };
  const write = (value: string): void => {
    saveDraft(draftKey, value || null);
    form.set({ text: value });
  };
  const area = useRef<HTMLTextAreaElement>(null);
  const { isWriting = false } = (useLocation().state ?? {}) as { isWriting?: boolean };
  useEffect(() => {
    if (isWriting) area.current!.focus({ preventScroll: true });
  }, [isWriting]);
  /** Before it has been in the text, the caret is at its end. */
  const wasInText = useRef(false);
  const insert = (piece: string): void => {
    // Another conversation was opened while it was loaded.
    if (!area.current) return;
    const { value, selectionStart, selectionEnd } = area.current;
    const end = value.length;
    const edit = wasInText.current
      ? insertAt(value, selectionStart, selectionEnd, piece)
      : insertAt(value, end, end, piece);
    // A text that is drawn later takes the caret to its end.
    flushSync(() => write(edit.text));
    area.current.focus();
    area.current.setSelectionRange(edit.caret, edit.caret);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const unfilled = unfilledIn(text);
  const isOut = optOuts.some((one) => one === null || one === type);
  return (
    <ContractForm
      form={priced}
      label={t('conversations:reply.title')}
      // The draft is kept.
      guarded={false}
      footer={
        <FormFooter
          form={priced}
          reasonId={priceId}
          submit={
            price.money
              ? t('sendings:resend.submitFor', { money: price.money })
              : t('sendings:resend.submit')
          }
        />
      }
    >
      {isOut && <Alert color="yellow">{t('conversations:optedOut')}</Alert>}
      {fault && !form.isPending && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <SimpleGrid cols={2} spacing="sm">
        <NativeSelect
          {...form.field('channel')}
          label={t('conversations:reply.channel')}
          data={channels.map((one) => ({
            value: keyOf(one),
            label: `${t(`common:type.${one.type}`)} · ${one.sender}`,
          }))}
        />
        <SavedAnswerSelect conversation={conversation} type={type} onChoose={insert} />
      </SimpleGrid>
      <div>
        <Textarea
          {...form.field('text')}
          ref={area}
          onFocus={() => (wasInText.current = true)}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          label={t('conversations:reply.text')}
          description={t('conversations:reply.keys')}
          // A phone has no such keys, and little room.
          descriptionProps={{ visibleFrom: 'md' }}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          autosize
          minRows={2}
          maxRows={8}
        />
        <SegmentMeter
          type={type}
          text={literalText(text)}
          onReplace={(next) => write(plainText(next))}
        />
        <Text size="xs" role="status">
          {unfilled.length > 0 && t('conversations:reply.unfilled', { names: unfilled.join(', ') })}
        </Text>
      </div>
      <Text id={priceId} size="sm" aria-live="polite">
        {price.text}
      </Text>
    </ContractForm>
  );
}
