import { isTestNumber, type SendingErrorCode } from '@heliograph/domain';

/** Behaviour of a test number on a channel of one type. Delays are in milliseconds after the submission. */
export interface Script {
  rejected?: SendingErrorCode;
  /** Number of submissions that are throttled before the message is accepted. */
  throttledTries?: number;
  /** Accepted, but the response to the first submission is lost. */
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

/** Descriptions of the test numbers by their last two digits. Other numbers follow the profile. */
export const TEST_NUMBERS: Readonly<Record<string, string>> = {
  '00': 'delivered in 2 s',
  '01': 'seen in 5 s',
  '02': 'failed permanently: absent_subscriber',
  '03': 'failed: temporary',
  '04': 'sent without a final report: expires on the platform',
  '05': 'failed: expired, reported by the carrier',
  '06': 'rejected at submission: rejected_sender',
  '07': 'rejected at submission: blacklisted',
  '08': 'failed: not_a_user on messengers, delivered elsewhere',
  '09': 'delivered, replies "STOP" after 3 s',
  '10': 'delivered, replies "да" after 3 s',
  '11': 'delivered, reported twice',
  '12': 'delivered, reports out of order',
  '13': 'failed: partial, only some segments were delivered',
  '14': 'throttled three times, then delivered',
  '15': 'the response to the submission is lost; delivered',
  '16': 'delivered, with the note ported',
  '17': 'delivered, with the note roaming',
  '18': 'landline: rejected for texts and flashcalls, delivered by voice and elsewhere',
  '19': 'delivered after 60 s',
};

const messengers: ReadonlySet<string> = new Set([
  'viber',
  'whatsapp',
  'vk',
  'ok',
  'telegram',
  'max',
  'telegramcode',
  'facebook',
  'instagram',
  'wapi',
]);

/** Channels whose recipients need an account (`not_a_user` otherwise). */
export function isMessenger(type: string): boolean {
  return messengers.has(type) || type.startsWith('chat_');
}

// Types that a landline cannot receive.
const mobileOnly: ReadonlySet<string> = new Set(['sms', 'smsping', 'mms', 'flashcall', 'sim_push']);

const sent: Step = { status: 'sent', after: 500 };
const delivered: Step = { status: 'delivered', after: 2_000 };
const deliveredScript: Script = { steps: [sent, delivered] };

const failing = (code: SendingErrorCode, after: number): Script => ({
  steps: [sent, { status: 'failed', after, code }],
});
const rejecting = (code: SendingErrorCode): Script => ({ rejected: code, steps: [] });
const withNote = (note: string): Script => ({ steps: [sent, { ...delivered, note }] });

const notAUser: Script = { steps: [{ status: 'failed', after: 1_000, code: 'not_a_user' }] };
const landline = rejecting('landline');

const scripts: Readonly<Record<string, Script | ((type: string) => Script)>> = {
  '00': deliveredScript,
  '01': { steps: [sent, delivered, { status: 'seen', after: 5_000 }] },
  '02': failing('absent_subscriber', 2_000),
  '03': failing('temporary', 2_000),
  '04': { steps: [sent] },
  '05': failing('expired', 3_000),
  '06': rejecting('rejected_sender'),
  '07': rejecting('blacklisted'),
  '08': (type) => (isMessenger(type) ? notAUser : deliveredScript),
  '09': { ...deliveredScript, reply: { after: 3_000, text: 'STOP' } },
  '10': { ...deliveredScript, reply: { after: 3_000, text: 'да' } },
  '11': { ...deliveredScript, duplicate: true },
  '12': { steps: [{ status: 'processing', after: 100 }, sent, delivered], disorder: true },
  '13': failing('partial', 3_000),
  '14': { ...deliveredScript, throttledTries: 3 },
  '15': { ...deliveredScript, lost: true },
  '16': withNote('ported'),
  '17': withNote('roaming'),
  '18': (type) => (mobileOnly.has(type) ? landline : deliveredScript),
  '19': { steps: [sent, { ...delivered, after: 60_000 }] },
};

/** The script of a test number; undefined for other recipients. */
export function scriptOf(recipient: string, type: string): Script | undefined {
  if (!isTestNumber(recipient)) return undefined;
  const script = scripts[recipient.slice(-2)];
  return typeof script === 'function' ? script(type) : script;
}
