import type { Alphabet } from './alphabets.ts';
import { type Delivered, contentOf, textOf, wholeOf } from './incoming.ts';
import { type Tlv, tlv, tlvOf } from './tlvs.ts';

/** SMPP 3.4, section 5.2.28. */
export type MessageState =
  | 'enroute'
  | 'delivered'
  | 'expired'
  | 'deleted'
  | 'undeliverable'
  | 'accepted'
  | 'unknown'
  | 'rejected';

export interface Receipt {
  /** As the carrier wrote it. */
  messageId: string;
  /** Undefined for a word that nobody defined: such a receipt is not final. */
  state: MessageState | undefined;
  /** The carrier's own code, `000` if there is no error; undefined if it gave none. */
  error: string | undefined;
  /** The carrier's time of the event; undefined if it is none or cannot be. */
  at: Date | undefined;
}

export interface ReceiptOptions {
  /** The alphabet behind data_coding 0. */
  alphabet: Alphabet;
  /** The carrier's clock, in minutes before UTC: receipts have no time zone. */
  utcOffset: number;
}

const STATES: (MessageState | undefined)[] = [
  undefined,
  'enroute',
  'delivered',
  'expired',
  'deleted',
  'undeliverable',
  'accepted',
  'unknown',
  'rejected',
];

/** Words of `stat` by their beginnings: carriers cut them to seven letters, or do not. `failed` is of none of the specifications. */
const WORDS: [beginning: string, state: MessageState][] = [
  ['deliv', 'delivered'],
  ['expir', 'expired'],
  ['delet', 'deleted'],
  ['undel', 'undeliverable'],
  ['fail', 'undeliverable'],
  ['accep', 'accepted'],
  ['enrou', 'enroute'],
  ['buff', 'enroute'],
  ['sched', 'enroute'],
  ['unkno', 'unknown'],
  ['rejec', 'rejected'],
];

/** `esm_class` of a receipt. */
export const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;
const KIND = 0x3c;

/**
 * The receipt in a message; undefined if it is a message of a person, null if it is a receipt that does not say of which message. Parameters come before what the text says. A text alone is a
 * receipt only where `esm_class` says so: a person can write `id:1 stat:DELIVRD` too.
 */
export function receiptOf(
  pdu: Delivered,
  options: ReceiptOptions,
  now: Date,
): Receipt | null | undefined {
  const kind = pdu.esmClass & KIND;
  const receipted = tlvOf(pdu.tlvs, 'receiptedMessageId');
  const isMarked = kind === RECEIPT || kind === INTERMEDIATE;
  if (!isMarked && receipted === undefined) return undefined;
  const keys = keysOf(pdu, options.alphabet);
  const messageId = receipted || keys.get('id') || '';
  if (messageId === '') return null;
  const state = STATES[tlvOf(pdu.tlvs, 'messageState') ?? 0] ?? stateOf(keys.get('stat') ?? '');
  return {
    messageId,
    // An intermediate notification ends nothing, whatever it says.
    state: kind === INTERMEDIATE ? 'enroute' : state,
    error: keys.get('err') ?? networkError(tlvOf(pdu.tlvs, 'networkErrorCode')),
    at: dateOf(keys.get('donedate') ?? '', options.utcOffset, now),
  };
}

function stateOf(word: string): MessageState | undefined {
  const lower = word.toLowerCase();
  return WORDS.find(([beginning]) => lower.startsWith(beginning))?.[1];
}

/** A type of network and a code: section 5.3.2.31. */
function networkError(octets: Buffer | undefined): string | undefined {
  return octets?.length === 3 ? String(octets.readUInt16BE(1)).padStart(3, '0') : undefined;
}

const MAX_TEXT = 1_024;
const KEY = /(?:^|[\s,;|])(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat|err|text)[ \t]?[:=]/gi;

/**
 * The keys of a receipt in any order; the first of its name counts, as the sender's text may contain others. Receipts are in ASCII, whatever
 * data_coding says: that of the message, or 0, in whose alphabet a tab is a letter, and whose septets may be packed in messages alone. Nor
 * need they have the header that esm_class tells of, which may be that of the message, too.
 */
function keysOf(pdu: Delivered, alphabet: Alphabet): Map<string, string> {
  const readings = [
    () => contentOf(pdu, 'gsm').octets.toString('latin1', 0, MAX_TEXT),
    () => wholeOf(pdu).toString('latin1', 0, MAX_TEXT),
    () => textOf(contentOf(pdu, alphabet)).slice(0, MAX_TEXT),
  ];
  let best: Map<string, string> | undefined;
  for (const reading of readings) {
    const keys = readKeys(reading());
    if (keys.has('id')) return keys;
    if (keys.has('stat')) best ??= keys;
  }
  return best ?? new Map();
}

function readKeys(octets: string): Map<string, string> {
  // Some carriers end their texts as C does.
  const text = octets.replaceAll('\0', ' ');
  const found = [...text.matchAll(KEY)];
  const keys = new Map<string, string>();
  found.forEach((match, i) => {
    const name = match[1]!.toLowerCase().replace(/[ _]/, '');
    const value = text.slice(match.index + match[0].length, found[i + 1]?.index).trim();
    if (!keys.has(name)) keys.set(name, name === 'text' ? value : (value.split(/\s/, 1)[0] ?? ''));
  });
  return keys;
}

const DAY_MS = 86_400_000;
/** No receipt is older: what says so has a broken clock or counts otherwise. */
const MAX_AGE_MS = 60 * DAY_MS;

/**
 * `YYMMDDhhmm`, with seconds or with the century. Of twelve digits that can be both, what is nearer to now. A time in the future or
 * long ago is none.
 */
function dateOf(text: string, utcOffset: number, now: Date): Date | undefined {
  if (!/^\d{10,14}$/.test(text)) return undefined;
  const distance = (time: number) => Math.abs(time - now.getTime());
  const times = [
    ...(text.length === 10 || text.length === 12 ? [timeOf(`20${text}`, utcOffset)] : []),
    ...(text.length === 12 || text.length === 14 ? [timeOf(text, utcOffset)] : []),
  ].filter((time) => time < now.getTime() + DAY_MS && time > now.getTime() - MAX_AGE_MS);
  if (times.length === 0) return undefined;
  return new Date(times.reduce((a, b) => (distance(b) < distance(a) ? b : a)));
}

/** Of `YYYYMMDDhhmm` with or without seconds; NaN for what is no time. */
function timeOf(digits: string, utcOffset: number): number {
  const at = (from: number) => Number(digits.slice(from, from + 2) || 0);
  const [month, day, hour, minute, second] = [at(4), at(6), at(8), at(10), at(12)];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23) return Number.NaN;
  if (minute > 59 || second > 59) return Number.NaN;
  const local = Date.UTC(Number(digits.slice(0, 4)), month - 1, day, hour, minute, second);
  return local - utcOffset * 60_000;
}

/** `message_state` of a state. */
export const stateNumber = (state: MessageState): number => STATES.indexOf(state);

const STAT: Record<MessageState, string> = {
  enroute: 'ENROUTE',
  delivered: 'DELIVRD',
  expired: 'EXPIRED',
  deleted: 'DELETED',
  undeliverable: 'UNDELIV',
  accepted: 'ACCEPTD',
  unknown: 'UNKNOWN',
  rejected: 'REJECTD',
};

/** What a receipt says. */
export interface ReceiptFacts {
  messageId: string;
  state: MessageState;
  /** 0 without an error. */
  error: number;
  submittedAt: Date;
  doneAt: Date;
}

/** The fields of a deliver_sm that is a receipt: the text of appendix B in UTC, and the parameters. */
export function formatReceipt({ messageId, state, error, submittedAt, doneAt }: ReceiptFacts): {
  esmClass: number;
  shortMessage: Buffer;
  tlvs: Tlv[];
} {
  const date = (time: Date) => time.toISOString().replaceAll(/\D/g, '').slice(2, 12);
  const text =
    `id:${messageId} sub:001 dlvrd:${state === 'delivered' ? '001' : '000'}` +
    ` submit date:${date(submittedAt)} done date:${date(doneAt)}` +
    ` stat:${STAT[state]} err:${String(error).padStart(3, '0')} text:`;
  return {
    esmClass: RECEIPT,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs: [tlv('receiptedMessageId', messageId), tlv('messageState', stateNumber(state))],
  };
}

/** How a carrier writes the id of a message. */
export type IdForm = 'text' | 'decimal' | 'hex';

const MAX_NUMERIC_ID = 40;

/**
 * An id in the one form in which ids of answers and of receipts are compared. `comparableId('0A', 'hex')` is '10', as is
 * `comparableId('0010', 'decimal')`. An id that is no number of its form stays as it is, without the blanks that fill a field.
 */
export function comparableId(given: string, form: IdForm): string {
  const id = given.trim();
  if (form === 'text' || id.length > MAX_NUMERIC_ID) return id;
  if (form === 'decimal') return /^\d+$/.test(id) ? String(BigInt(id)) : id;
  return /^[\da-f]+$/i.test(id) ? String(BigInt(`0x${id}`)) : id;
}
