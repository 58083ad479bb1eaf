import type { Sending, SendingType } from '@heliograph/contract';
import { failureAdvice } from '@heliograph/domain';
import type { SendingBody } from '../../estimates/estimates.api.ts';
import { contentOf } from '../send.api.ts';

/** What is sent again: a message to its recipient, or that of a bulk to some of its recipients. */
export type Resent = Pick<Sending, 'id' | 'OwnerId' | 'type' | 'payload'> & {
  recipient: SendingBody['recipient'];
  state: Pick<Sending['state'], 'code'>;
  /** Of the new task. */
  title?: string;
  /** Of a bulk, as it did before. */
  tellsWhoClicked?: boolean | undefined;
  /** A text in Markdown, for channels that have no marks. */
  plain?: string;
};

export interface ResendValues {
  type: SendingType;
  sender: string;
  text: string;
  /** The content of a call: a recording, or the text spoken by a voice. */
  audio: string | null;
  tts: string | null;
}

/** A recording is a file of the account that pays. Of another's only the one that was sent can be played again. */
export const mayRecord = (sending: Resent, ownerId: string): boolean =>
  sending.OwnerId === ownerId || !!sending.payload.audio;

/** A call needs a recording or a voice for the text: `voice` is the default one. */
export function offeredTypes(
  sending: Resent,
  types: readonly SendingType[],
  ownerId: string,
  voice: string | null,
): SendingType[] {
  const mayCall = !!voice || !!sending.payload.tts || mayRecord(sending, ownerId);
  return types.filter((type) => type !== 'voice' || mayCall);
}

export const isSpoken = ({ type, audio, tts }: ResendValues): boolean =>
  type === 'voice' && !audio && !!tts;

const MAX_TITLE = 100;

/** The default channel. */
const COMMON: SendingType[] = ['sms', 'viber', 'whatsapp', 'telegram', 'vk'];

export const isMarkdown = ({ payload }: Pick<Resent, 'payload'>): boolean =>
  payload.format === 'markdown';

/** The text as a channel can show it. */
export const textFor = (sending: Resent, type: SendingType): string =>
  (type === sending.type ? undefined : sending.plain) ?? sending.payload.text ?? '';

/** By another channel, whose names are others. A text that was not changed goes as that channel can show it. */
export const changedType = (sending: Resent, values: ResendValues, type: SendingType) => ({
  type,
  sender: '',
  ...(values.text === textFor(sending, values.type) && { text: textFor(sending, type) }),
});

/** Another channel where the failure requires one, else the same; the text is kept. */
export function firstChoice(
  sending: Resent,
  types: readonly SendingType[],
  voice: string | null,
): ResendValues {
  const { type, payload, state } = sending;
  const wantsOther = !!state.code && failureAdvice(state.code) === 'other_channel';
  const others = types.filter((other) => other !== type);
  const other = COMMON.find((common) => others.includes(common)) ?? others[0];
  const chosen = (wantsOther && other) || (types.includes(type) ? type : (types[0] ?? type));
  return {
    type: chosen,
    sender: chosen === type ? payload.sender : '',
    text: textFor(sending, chosen),
    audio: payload.audio ?? null,
    tts: payload.audio ? null : (payload.tts ?? voice),
  };
}

/** A new single sending. Attachments are kept on the same channel only: another one may not support them. */
export function resendInput(sending: Resent, values: ResendValues, ownerId: string): SendingBody {
  const { type, text, audio, tts } = values;
  const attached = sending.type === type ? contentOf(sending) : {};
  const sender = values.sender.trim();
  const call = isSpoken(values) ? { text, tts } : { audio };
  return {
    type,
    recipient: sending.recipient,
    payload: type === 'voice' ? { sender, ...call } : { ...attached, sender, text },
    ...(sending.title && {
      options: {
        title: sending.title.slice(0, MAX_TITLE),
        ...(sending.tellsWhoClicked && { tellsWhoClicked: true }),
      },
    }),
    ...(sending.OwnerId !== ownerId && { OwnerId: sending.OwnerId }),
  };
}
