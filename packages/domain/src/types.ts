/**
 * Sending types with their integers in the database. The integers must never change; the order of the table can.
 */
const TYPE_CODES = {
  sms: 1,
  smsping: 2,
  mms: 3,
  viber: 4,
  voice: 5,
  whatsapp: 6,
  email: 7,
  vk: 8,
  ok: 9,
  push: 10,
  telegram: 11,
  facebook: 12,
  instagram: 13,
  chat_telegram: 14,
  chat_vk: 15,
  chat_ok: 16,
  chat_facebook: 17,
  chat_instagram: 18,
  chat_whatsapp: 19,
  flashcall: 20,
  hlr: 21,
  telegramcode: 22,
  sim_push: 23,
  wapi: 24,
  max: 25,
} as const;

export const SENDING_TYPES = [
  'sms',
  'smsping',
  'mms',
  'viber',
  'voice',
  'whatsapp',
  'email',
  'vk',
  'ok',
  'push',
  'telegram',
  'max',
  'facebook',
  'instagram',
  'chat_telegram',
  'chat_vk',
  'chat_ok',
  'chat_facebook',
  'chat_instagram',
  'chat_whatsapp',
  'flashcall',
  'hlr',
  'telegramcode',
  'sim_push',
  'wapi',
] as const satisfies readonly (keyof typeof TYPE_CODES)[];

export type SendingType = keyof typeof TYPE_CODES;

/** Types of which prepaid packages have units: a segment or a message. Calls are billed by seconds, instances by months. */
export type PackageType = Exclude<SendingType, 'voice' | 'wapi'>;
export const PACKAGE_TYPES = SENDING_TYPES.filter(
  (type): type is PackageType => type !== 'voice' && type !== 'wapi',
);

/** Statuses of a message. Source: the specification, section 4. */
export const STATUSES = [
  'pending',
  'paused',
  'processing',
  'sent',
  'delivered',
  'seen',
  'failed',
] as const;
export type Status = (typeof STATUSES)[number];

/** `paused` is never stored: it is derived for unsubmitted messages of a paused task. */
export type StoredStatus = Exclude<Status, 'paused'>;

/** The stored integers of statuses. */
export const STATUS_CODES = {
  pending: 0,
  processing: 1,
  sent: 2,
  delivered: 3,
  seen: 4,
  failed: 5,
} as const satisfies Record<StoredStatus, number>;

/** Error codes of failed messages with the English text for `state.error`. Rows contain the code. */
export const SENDING_ERRORS = {
  unknown: 'The carrier reported a failure without a reason.',
  absent_subscriber: 'The subscriber is absent or the number is not in service.',
  temporary: 'The carrier could not deliver the message for a temporary reason.',
  expired: 'No delivery report arrived before the message expired.',
  rejected_sender: 'The carrier rejected the sender name.',
  blacklisted: 'The recipient is on the blacklist.',
  not_a_user: 'The recipient is not a user of this messenger.',
  partial: 'Only some parts of the message were delivered.',
  throttled: 'The carrier refused the message because of its rate limit.',
  provider_timeout: 'The carrier did not answer in time.',
  landline: 'The number is a landline, which this channel cannot reach.',
  invalid_recipient: 'The recipient is not a valid address for this channel.',
  blocked: 'The recipient or the operator blocks messages from this sender.',
  stopped: 'The message was cancelled before it was submitted.',
  superseded: 'An earlier attempt was delivered, so this one was not sent.',
  insufficient_funds: 'The balance does not cover the price of the message.',
  spend_cap_reached: 'A spend cap of the account or of the API token is reached.',
  no_price: 'No tariff rule gives a price for this message.',
  no_value:
    'A variable of the message has neither a value for this recipient nor a default, or nothing is left of its text.',
  channel_down: 'The channel is not available.',
  invalid_payload: 'The content of the message does not suit the channel.',
  rejected: 'The carrier rejected the message.',
  deleted: 'The carrier removed the message from its queue.',
  undeliverable: 'The carrier could not deliver the message.',
  unsubscribed: 'The recipient has opted out of messages from this sender.',
  frequency_cap_reached:
    'The recipient has had as many advertising messages of the account as its frequency cap allows.',
  sender_not_approved: 'The sender name is not registered or not approved.',
  sender_not_registered:
    'The sender name is not registered at any carrier of the platform for this type.',
  phone_not_confirmed:
    'Until the phone number of the account is confirmed, messages can be sent only from the demo sender, to test numbers and, three times a day, to that phone number.',
  account_inactive: 'The account was deactivated.',
  type_unavailable: 'The account cannot send this type of message.',
  template_mismatch: 'The text does not match an approved template.',
  outside_window: 'Free text is allowed only after a reply from the recipient.',
  busy: 'The line was busy.',
  no_answer: 'The call was not answered.',
  content_rejected: 'The carrier rejected the text as spam or forbidden.',
  memory_full: 'The memory of the recipient’s device is full.',
  too_long: 'The message is longer than the channel allows.',
  no_route: 'The channel has no route to this operator or country.',
  unsupported: 'The recipient’s device does not support this type of message.',
  not_authorized: 'The account of the channel is not authorized.',
  number_not_found: 'The number does not exist.',
  instance_not_authorized: 'The WhatsApp instance of the sender is not connected to a phone.',
} as const satisfies Record<string, string>;

export type SendingErrorCode = keyof typeof SENDING_ERRORS;

/** Recommended action after a failure. The cabinet translates it. */
export type FailureAdvice =
  | 'retry'
  | 'retry_later'
  | 'other_channel'
  | 'check_number'
  | 'check_sender'
  | 'connect_instance'
  | 'confirm_phone'
  | 'check_text'
  | 'top_up'
  | 'raise_cap'
  | 'ask_support'
  | 'nothing';

const FAILURE_ADVICE: Record<SendingErrorCode, FailureAdvice> = {
  unknown: 'retry',
  absent_subscriber: 'other_channel',
  temporary: 'retry_later',
  expired: 'other_channel',
  rejected_sender: 'check_sender',
  blacklisted: 'nothing',
  not_a_user: 'other_channel',
  partial: 'retry',
  throttled: 'retry_later',
  provider_timeout: 'retry_later',
  landline: 'other_channel',
  invalid_recipient: 'check_number',
  blocked: 'other_channel',
  stopped: 'retry',
  superseded: 'nothing',
  insufficient_funds: 'top_up',
  spend_cap_reached: 'raise_cap',
  no_price: 'ask_support',
  no_value: 'check_text',
  channel_down: 'retry_later',
  invalid_payload: 'check_text',
  rejected: 'other_channel',
  deleted: 'retry',
  undeliverable: 'other_channel',
  unsubscribed: 'nothing',
  frequency_cap_reached: 'nothing',
  sender_not_approved: 'check_sender',
  sender_not_registered: 'check_sender',
  phone_not_confirmed: 'confirm_phone',
  account_inactive: 'ask_support',
  type_unavailable: 'ask_support',
  template_mismatch: 'check_text',
  outside_window: 'other_channel',
  busy: 'retry_later',
  no_answer: 'retry_later',
  content_rejected: 'check_text',
  memory_full: 'retry_later',
  too_long: 'check_text',
  no_route: 'other_channel',
  unsupported: 'other_channel',
  not_authorized: 'ask_support',
  number_not_found: 'check_number',
  instance_not_authorized: 'connect_instance',
};

/** The recommended action for an error code: `failureAdvice('insufficient_funds')` is 'top_up'. 'retry' for unknown codes. */
export function failureAdvice(code: string): FailureAdvice {
  return Object.hasOwn(FAILURE_ADVICE, code) ? FAILURE_ADVICE[code as SendingErrorCode] : 'retry';
}

const TYPE_BY_CODE = inverse(TYPE_CODES);
const STATUS_BY_CODE = inverse(STATUS_CODES);

function inverse<K extends string>(codes: Record<K, number>): Map<number, K> {
  return new Map(Object.entries(codes).map(([name, code]) => [code as number, name as K]));
}

/** Whether a text names a sending type: `isSendingType('sms')` is true, `'fax'` false. */
export function isSendingType(text: string): text is SendingType {
  return Object.hasOwn(TYPE_CODES, text);
}

/** The integer of a type in the database: `typeCode('sms')` is 1. */
export function typeCode(type: SendingType): number {
  return TYPE_CODES[type];
}

/** The type of an integer in the database: `typeOf(1)` is 'sms'. Throws RangeError if it is unknown. */
export function typeOf(code: number): SendingType {
  return known(TYPE_BY_CODE.get(code), 'sending type', code);
}

/** The integer of a status in the database: `statusCode('sent')` is 2. */
export function statusCode(status: StoredStatus): number {
  return STATUS_CODES[status];
}

/** The status of an integer in the database: `statusOf(2)` is 'sent'. Throws RangeError if it is unknown. */
export function statusOf(code: number): StoredStatus {
  return known(STATUS_BY_CODE.get(code), 'status', code);
}

function known<T>(found: T | undefined, what: string, code: number): T {
  if (found === undefined) throw new RangeError(`Unknown ${what} code ${code}`);
  return found;
}

/** Whether a status is final: delivered, seen or failed. `isFinal('sent')` is false. */
export function isFinal(status: Status): boolean {
  return status === 'delivered' || status === 'seen' || status === 'failed';
}
