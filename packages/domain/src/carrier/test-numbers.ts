import type { SendingErrorCode } from '../types.ts';

/** What a test number does on a channel of one type; delays in milliseconds after the handover. */
export interface Script {
  rejected?: SendingErrorCode;
  /** Throttled as long as the message was tried fewer times than this. */
  throttledTries?: number;
  /** Taken, but the answer to the first handover gets lost. */
  lost?: boolean;
  steps: Step[];
  reply?: { after: number; text: string };
  duplicate?: boolean;
  disorder?: boolean;
}

export interface Step {
  status: 'processing' | 'sent' | 'delivered' | 'seen' | 'failed';
  after: number;
  code?: SendingErrorCode;
  note?: string;
}

/** The block of numbers whose outcome is fixed: this and two digits, e.g. `+79990000004`. */
export const TEST_NUMBER_PREFIX = '+799900000';

/** `isTestNumber('+79990000004')` is true. */
export function isTestNumber(address: string): boolean {
  const digits = address.slice(TEST_NUMBER_PREFIX.length);
  return address.startsWith(TEST_NUMBER_PREFIX) && /^\d\d$/.test(digits);
}

/** What each test number shows, by its last two digits; the others follow the profile. */
export const TEST_NUMBERS: Readonly<Record<string, string>> = {
  '00': 'delivered in 2 s',
  '01': 'seen in 5 s',
  '02': 'failed: absent_subscriber, for good',
  '03': 'failed: temporary',
  '04': "sent, then nothing: ends by the platform's expiry",
  '05': 'failed: expired, said by the carrier',
  '06': 'rejected at handover: rejected_sender',
  '07': 'rejected at handover: blacklisted',
  '08': 'failed: not_a_user on messengers, delivered elsewhere',
  '09': 'delivered, replies "STOP" after 3 s',
  '10': 'delivered, replies "да" after 3 s',
  '11': 'delivered, reported twice',
  '12': 'delivered, reports out of order',
  '13': 'failed: partial, not every part arrived',
  '14': 'throttled three times, then delivered',
  '15': 'the answer to the handover is lost; delivered',
  '16': 'delivered, noted as ported',
  '17': 'delivered, noted as roaming',
  '18': 'landline: rejected for texts and flashcalls, delivered by voice and elsewhere',
  '19': 'delivered after 60 s',
};

const messengers: ReadonlySet<string> = new Set([
  'viber',
  'whatsapp',
  'vk',
  'ok',
  'telegram',
  'telegramcode',
  'facebook',
  'instagram',
  'wapi',
]);

/** Channels where a person has an account, or has none (`not_a_user`). */
export function isMessenger(type: string): boolean {
  return messengers.has(type) || type.startsWith('chat_');
}

// What a fixed line cannot take.
const mobileOnly: ReadonlySet<string> = new Set(['sms', 'smsping', 'mms', 'flashcall', 'sim_push']);

const sent: Step = { status: 'sent', after: 500 };
const delivered: Step = { status: 'delivered', after: 2_000 };
const arrives: Script = { steps: [sent, delivered] };

const failing = (code: SendingErrorCode, after: number): Script => ({
  steps: [sent, { status: 'failed', after, code }],
});
const refused = (code: SendingErrorCode): Script => ({ rejected: code, steps: [] });
const noted = (note: string): Script => ({ steps: [sent, { ...delivered, note }] });

const notAUser: Script = { steps: [{ status: 'failed', after: 1_000, code: 'not_a_user' }] };
const landline = refused('landline');

const scripts: Readonly<Record<string, Script | ((type: string) => Script)>> = {
  '00': arrives,
  '01': { steps: [sent, delivered, { status: 'seen', after: 5_000 }] },
  '02': failing('absent_subscriber', 2_000),
  '03': failing('temporary', 2_000),
  '04': { steps: [sent] },
  '05': failing('expired', 3_000),
  '06': refused('rejected_sender'),
  '07': refused('blacklisted'),
  '08': (type) => (isMessenger(type) ? notAUser : arrives),
  '09': { ...arrives, reply: { after: 3_000, text: 'STOP' } },
  '10': { ...arrives, reply: { after: 3_000, text: 'да' } },
  '11': { ...arrives, duplicate: true },
  '12': { steps: [{ status: 'processing', after: 100 }, sent, delivered], disorder: true },
  '13': failing('partial', 3_000),
  '14': { ...arrives, throttledTries: 3 },
  '15': { ...arrives, lost: true },
  '16': noted('ported'),
  '17': noted('roaming'),
  '18': (type) => (mobileOnly.has(type) ? landline : arrives),
  '19': { steps: [sent, { ...delivered, after: 60_000 }] },
};

/** The script of a recipient, or undefined when its number is like any other. */
export function scriptOf(recipient: string, type: string): Script | undefined {
  if (recipient.length !== TEST_NUMBER_PREFIX.length + 2) return undefined;
  if (!recipient.startsWith(TEST_NUMBER_PREFIX)) return undefined;
  const script = scripts[recipient.slice(-2)];
  return typeof script === 'function' ? script(type) : script;
}
