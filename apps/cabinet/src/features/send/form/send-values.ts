import { localIso } from '../../../core/time-zone.ts';
import { mayVary, type Payload, type SendingType, type Status } from '@heliograph/contract';
import {
  DEFAULT_TIMEOUT_SECONDS,
  type FallbackStatus,
  type TextFormat,
  type VariantCriterion,
} from '@heliograph/domain';
import { entriesOf as split } from '../../../core/entries.ts';
import { randomKey } from '../../../core/idempotency.ts';
import type { SendingBody } from '../../estimates/estimates.api.ts';
import { partsOf } from './type-parts.ts';

export interface ButtonValues {
  text: string;
  action: string;
}

/** Every part a message can have; only those of its type are sent, the others wait for a change of type. */
export interface PayloadValues {
  sender: string;
  subject: string;
  text: string;
  format: TextFormat;
  image: string | null;
  file: string | null;
  video: string | null;
  audio: string | null;
  /** The voice that speaks the text. */
  tts: string | null;
  button: { text: string; url: string } | null;
  buttons: ButtonValues[];
}

export interface MessageValues {
  type: SendingType;
  payload: PayloadValues;
}

export interface FallbackValues extends MessageValues {
  /** The form's own, by which it is found when others have gone; not sent. */
  id: string;
  onStatus: FallbackStatus[];
  /** Seconds; nothing is no timeout. */
  timeout: number | '';
  except: Status[];
  reply: string;
}

export type Side = 'include' | 'exclude';

export interface RecipientValues {
  /** Ids of contact lists. */
  lists: string[];
  typed: string;
}

/** The values of the wizard's form. */
export interface SendValues extends MessageValues {
  include: RecipientValues;
  exclude: RecipientValues;
  fallbacks: FallbackValues[];
  when: 'now' | 'later';
  /** As the browser's field gives it, in local time: `2026-11-21T14:30`. */
  at: string;
  hours: number;
  title: string;
  /** Its short links have a code for each recipient; only where it has some. */
  tellsWhoClicked: boolean;
  /** A second text that is tried; it is kept while the switch is off. */
  variants: VariantValues;
}

export interface VariantValues {
  isOn: boolean;
  text: string;
  /** Percent of the recipients. */
  share: number;
  by: VariantCriterion;
  hours: number;
}

export const NO_PAYLOAD: PayloadValues = {
  sender: '',
  subject: '',
  text: '',
  format: 'plain',
  image: null,
  file: null,
  video: null,
  audio: null,
  tts: null,
  button: null,
  buttons: [],
};
const NOBODY: RecipientValues = { lists: [], typed: '' };

export function emptyValues(type: SendingType): SendValues {
  return {
    type,
    payload: NO_PAYLOAD,
    include: NOBODY,
    exclude: NOBODY,
    fallbacks: [],
    when: 'now',
    at: '',
    hours: 0,
    title: '',
    tellsWhoClicked: false,
    variants: { isOn: false, text: '', share: 20, by: 'replied', hours: 4 },
  };
}

/** A new fallback starts when 50 seconds have passed without delivery. */
export function emptyFallback(type: SendingType): FallbackValues {
  return {
    id: randomKey(),
    type,
    payload: NO_PAYLOAD,
    onStatus: [],
    timeout: DEFAULT_TIMEOUT_SECONDS,
    except: ['delivered', 'seen'],
    reply: '',
  };
}

/** The entries of a side of the form. */
export function entriesOf(pasted: string): readonly string[] {
  const known = READ.get(pasted);
  if (known) return known;
  const entries = split(pasted);
  // Both sides of the form, and as they stood before the last key.
  if (READ.size >= 4) READ.delete(READ.keys().next().value!);
  READ.set(pasted, entries);
  return entries;
}

/** Cached: tens of thousands of lines, needed by several components on every key press in the form. */
const READ = new Map<string, readonly string[]>();

/** The payload of a message, without empty parts and parts that its type does not have. */
export function payloadOf({ type, payload: p }: MessageValues): Payload {
  const parts = partsOf(type);
  const isSpoken = type === 'voice' && !p.audio;
  return {
    sender: p.sender.trim(),
    ...(parts.subject && p.subject && { subject: p.subject }),
    ...(parts.text && p.text && (type !== 'voice' || isSpoken) && { text: p.text }),
    ...(parts.format && p.format !== 'plain' && { format: p.format }),
    ...(parts.image && p.image && { image: p.image }),
    ...(parts.file && p.file && { file: p.file }),
    ...(parts.video && p.video && { video: p.video }),
    ...(parts.audio && p.audio && { audio: p.audio }),
    ...(isSpoken && p.tts && { tts: p.tts }),
    ...(parts.button && p.button && { button: p.button }),
    ...(parts.buttons && p.buttons.length > 0 && { buttons: p.buttons }),
  };
}

export function fallbackOf(f: FallbackValues): NonNullable<SendingBody['fallbacks']>[number] {
  return {
    type: f.type,
    payload: payloadOf(f),
    options: {
      onStatus: f.onStatus,
      onTimeout: f.timeout === '' ? null : { timeout: f.timeout, except: f.except },
      onIncomingPayload: f.reply.trim() ? { text: f.reply.trim() } : null,
    },
  };
}

/** The second text, if there is one and the message can have it. */
export function variantsOf(values: SendValues): SendingBody['variants'] {
  const { isOn, ...variants } = values.variants;
  return isOn && mayVary(values.type, payloadOf(values)) ? variants : undefined;
}

/** One address and nothing that only a bulk can do: the answer is the message itself. */
export function isSingle(values: SendValues): boolean {
  const { include, exclude, when, hours } = values;
  return (
    !variantsOf(values) &&
    include.lists.length === 0 &&
    entriesOf(include.typed).length === 1 &&
    exclude.lists.length === 0 &&
    entriesOf(exclude.typed).length === 0 &&
    when === 'now' &&
    hours === 0
  );
}

/** The request body of the wizard's values; the contract's schema validates it. */
export function toInput(values: SendValues): SendingBody {
  const { type, include, exclude, fallbacks, when, at, hours, title, tellsWhoClicked } = values;
  const message = { type, payload: payloadOf(values), fallbacks: fallbacks.map(fallbackOf) };
  if (isSingle(values)) return { ...message, recipient: entriesOf(include.typed)[0]! };
  // An unreadable time is passed on: the schema refuses it, and the field shows why.
  const delay = localIso(at) ?? (at || 'later');
  const variants = variantsOf(values);
  return {
    ...message,
    recipient: {
      include: [...include.lists, ...entriesOf(include.typed)],
      exclude: [...exclude.lists, ...entriesOf(exclude.typed)],
    },
    schedule: { delay: when === 'later' ? delay : 0, until: hours },
    ...((title.trim() || tellsWhoClicked) && {
      options: {
        ...(title.trim() && { title: title.trim() }),
        ...(tellsWhoClicked && { tellsWhoClicked }),
      },
    }),
    ...(variants && { variants }),
  };
}

/** Whether the form has values that are worth keeping. */
export function isBlank(values: SendValues): boolean {
  const { type, payload, include, exclude, fallbacks, title } = values;
  // A name and a voice are chosen quickly again.
  const { sender: _, tts: __, ...content } = payloadOf({ type, payload });
  return (
    Object.keys(content).length === 0 &&
    [include, exclude].every(({ lists, typed }) => !lists.length && !typed.trim()) &&
    fallbacks.length === 0 &&
    !title.trim()
  );
}
