import type { SendingErrorCode } from '@heliograph/domain';

import type { OutgoingMessage } from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import type { CallName, Script } from './call.ts';
import { type AriOptions, endpointOf, flashNumber, speechOf } from './options.ts';

/** A spoken text becomes an address, which Asterisk has to keep in a variable. */
const MAX_SPEECH = 8_000;

/** A call that can be dialled. */
export interface Placed {
  name: CallName;
  endpoint: string;
  callerId: string;
  script: Script;
}

interface Refused {
  code: SendingErrorCode;
  text: string;
}

/** What is dialled for a message, or why it cannot be. */
export function placedOf(
  { type, reference, sender, recipient, payload }: OutgoingMessage,
  options: AriOptions,
): Placed | Refused {
  const [, digits] = /^\+?(\d{5,15})$/.exec(recipient) ?? [];
  if (!digits) return { code: 'invalid_recipient', text: 'The recipient is not a number.' };
  const endpoint = endpointOf(options, digits);
  if (type === 'flashcall') {
    if (!options.flashCaller)
      return { code: 'unsupported', text: 'The channel has no number of flash calls.' };
    const callerId = flashNumber(options.flashCaller, payload.text ?? '');
    if (!callerId || !/^\d+$/.test(callerId))
      return { code: 'invalid_payload', text: `The code does not fit ${options.flashCaller}.` };
    return {
      name: { type, reference },
      endpoint,
      callerId,
      script: { from: sender, to: recipient },
    };
  }
  if (type !== 'voice') return { code: 'unsupported', text: 'The channel carries calls.' };
  const [, callerId] = /^\+?(\d{3,15})$/.exec(sender) ?? [];
  if (!callerId) return { code: 'rejected_sender', text: 'The sender of a call is a number.' };
  const play = soundOf(payload, options);
  if ('code' in play) return play;
  return {
    name: { type, reference },
    endpoint,
    callerId,
    script: { from: sender, to: recipient, play },
  };
}

function soundOf(
  { audio, text, tts }: OutgoingMessage['payload'],
  { speech }: AriOptions,
): NonNullable<Script['play']> | Refused {
  if (typeof audio === 'string') return { file: audio };
  if (!text) return { code: 'invalid_payload', text: 'There is nothing to play.' };
  if (!speech) return { code: 'unsupported', text: 'The channel has no address of speech.' };
  const url = speechOf(speech, String(tts ?? ''), text);
  if (url.length > MAX_SPEECH)
    return { code: 'too_long', text: 'The text is too long to be spoken.' };
  return { url };
}

/** What is dialled, without number, code and text. */
export const shownBody = (
  options: AriOptions,
  { name, callerId, script }: Placed,
): Record<string, unknown> => ({
  endpoint: endpointOf(options, tailOf(script.to)),
  app: options.app,
  callerId: name.type === 'flashcall' ? options.flashCaller : callerId,
  timeout: options.ringSeconds,
});
