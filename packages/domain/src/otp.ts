import { phoneCountry } from './phones.ts';
import type { SendingType } from './types.ts';
import { asciiHost } from './web-address.ts';

/** Channels over which a one-time code or a request for confirmation is sent. */
export const OTP_CHANNEL_TYPES = [
  'flashcall',
  'sim_push',
  'sms',
  'telegramcode',
  'viber',
  'vk',
  'voice',
  'whatsapp',
] as const satisfies readonly SendingType[];
export type OtpChannelType = (typeof OTP_CHANNEL_TYPES)[number];

/** The person confirms on the phone; there is no code to enter. */
export const isCodeless = (type: OtpChannelType): boolean => type === 'sim_push';
/** The message is the code alone. */
export const isBareCode = (type: OtpChannelType): boolean =>
  type === 'flashcall' || type === 'telegramcode';

/** A flash call shows the code as the end of the number that calls. */
export const FLASHCALL_DIGITS = 4;
export const OTP_CODE_DIGITS = { min: 4, max: 8 } as const;

/** Tags of the conditions of a message template. */
export const OTP_CONDITION_TAGS = ['country', 'recipient', 'mccmnc', 'widget'] as const;
export type OtpConditionTag = (typeof OTP_CONDITION_TAGS)[number];
export interface OtpCondition {
  tag: OtpConditionTag;
  value: string[];
}

/** What the conditions of a template are compared with. */
export interface OtpTarget {
  /** A phone in E.164. */
  recipient: string;
  country: string | null;
  /** MCC followed by MNC. */
  mccmnc: string | null;
  widget: string;
}

/** Whether all conditions hold. A condition holds for any of its values; `recipient` and `mccmnc*` are prefixes. */
export function meetsConditions(conditions: readonly OtpCondition[], target: OtpTarget): boolean {
  const holds: Record<OtpConditionTag, (value: string) => boolean> = {
    country: (value) => value === target.country,
    recipient: (value) => target.recipient.startsWith(value.startsWith('+') ? value : `+${value}`),
    mccmnc: (value) =>
      value.endsWith('*')
        ? (target.mccmnc ?? '').startsWith(value.slice(0, -1))
        : value === target.mccmnc,
    widget: (value) => value === target.widget,
  };
  return conditions.every(({ tag, value }) => value.some(holds[tag]));
}

/** The place of the code in the text of a template. */
export const OTP_CODE = '{code}';

/** Also as the browser shows it: with a port, or the dot that may end it. */
const HOST = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,251}[\p{L}\p{M}\p{N}])?\.?(?::\d{1,5})?`;
/** Of the page, and of one embedded in it: after `%` for Apple's phones, after `@` for Chrome. */
const AUTOFILL = new RegExp(String.raw`\n@${HOST} #\{code\}(?: [%@]${HOST}){0,2}$`, 'iu');
const HOSTS = new RegExp(String.raw`(?<=[%@])${HOST}`, 'giu');
const APP_HASH = /\n[A-Za-z0-9+/]{11}$/;

/** Why a template text is refused; null if it is valid. Other braces are not variables here and would be sent as they are. */
export function otpTemplateError(template: string): 'otp_code' | 'otp_braces' | null {
  const text = template.replace(AUTOFILL, '');
  if (text.split(OTP_CODE).length !== 2) return 'otp_code';
  return /[{}]/.test(text.replace(OTP_CODE, '')) ? 'otp_braces' : null;
}

/**
 * The last line by which a phone offers to fill in the code: of a site, by its host or address, or of an Android app, by the hash of
 * its signature. Null for what is neither. `autofillLine('https://shop.example/')` is `@shop.example #{code}`.
 */
export function autofillLine(siteOrHash: string): string | null {
  const written = siteOrHash.trim();
  if (APP_HASH.test(`\n${written}`)) return written;
  if (!written.includes('.') || /\s/.test(written)) return null;
  const host = asciiHost(written);
  return host && ASCII_HOST.test(host) ? `@${host} #${OTP_CODE}` : null;
}

const ASCII_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Programs compare hosts in ASCII, without ports, and read no others: `@чай.рф:443` is `@xn--80as4b.xn--p1ai`. */
const asciiHosts = (line: string): string => line.replace(HOSTS, (host) => asciiHost(host) ?? host);

/** A template with this last line, in place of the one it has. */
export const withAutofill = (template: string, line: string): string =>
  `${template.trimEnd().replace(AUTOFILL, '').replace(APP_HASH, '').trimEnd()}\n${line}`;

/** `123456` in the look of a message: `123-456`. Codes of five and seven digits have no even groups. */
export function beautify(code: string): string {
  const size = code.length === 4 ? 2 : code.length === 6 ? 3 : code.length === 8 ? 4 : code.length;
  return code.match(new RegExp(`.{1,${size}}`, 'g'))!.join('-');
}

/** A voice reads digits one by one only if they are apart. */
const spoken = (code: string) => [...code].join(' ');

/** The code as a channel shows it. */
function shownCode(type: OtpChannelType, code: string, isBeautified: boolean): string {
  if (isBareCode(type)) return code;
  if (type === 'voice') return spoken(code);
  return isBeautified ? beautify(code) : code;
}

/**
 * The text of a message. Programs read the line that fills it in, and get the digits as they are entered; a voice does not read it out.
 * Where the text is stored, asterisks stand for the digits.
 */
export function otpText(
  template: string,
  type: OtpChannelType,
  code: string,
  isBeautified: boolean,
): { text: string; masked: string } {
  const [written = ''] = type === 'voice' ? [] : (template.match(AUTOFILL) ?? []);
  const line = asciiHosts(written);
  const before = template.replace(AUTOFILL, '');
  const fill = (digits: (shown: string) => string) =>
    before.replace(OTP_CODE, () => digits(shownCode(type, code, isBeautified))) +
    line.replace(OTP_CODE, () => digits(code));
  return { text: fill((shown) => shown), masked: fill((shown) => shown.replace(/\d/g, '*')) };
}

/** What a person typed, without the separators of the look: `123-456` is `123456`. */
export const typedCode = (text: string): string => text.replace(/[^0-9]/g, '');

const PREFIX_DIGITS = 6;
const BLOCK_DIGITS = 4;
/** The numbering range by which conversion is watched: `+79020000001` is in `+790200`. */
export const otpPrefix = (phone: string): string => phone.slice(0, PREFIX_DIGITS + 1);

/**
 * The ranges of a number over which codes without a confirmation are limited: all numbers, those of its country and those of its block
 * of four digits. Adjacent ranges of six digits, and many of them, count together.
 */
export const otpRanges = (phone: string): string[] => [
  '+',
  phoneCountry(phone) ?? '',
  phone.slice(0, BLOCK_DIGITS + 1),
];

/** How many codes of an hour a range takes: so many that nobody confirms, and two more for each confirmed one of this hour and the last. */
export const otpRangeLimit = (unconfirmed: number, confirmed: number): number =>
  unconfirmed + 3 * confirmed;

/**
 * Traffic of a prefix that hardly anyone confirms, such as messages that are ordered for the payments of an operator. With fewer
 * sessions in the window nothing is concluded.
 */
export const PUMPING_MIN_SESSIONS = 20;
/** A share of confirmed sessions below this is artificial traffic. */
export const PUMPING_CONVERSION = 0.1;

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
/** How long a prefix is blocked for the n-th time, from 1: an hour, doubled up to a day. */
export const blockSeconds = (times: number): number =>
  Math.min(HOUR_SECONDS * 2 ** Math.min(times - 1, 10), DAY_SECONDS);

const COOLDOWN_SECONDS = 30;
/** Sessions of a number in a network that are not followed by a longer wait. */
const FREE_SESSIONS = 3;

/** Seconds before a code can be sent again within a session that has been restarted so often. */
export const resendCooldown = (restarts: number): number =>
  Math.min(COOLDOWN_SECONDS * 2 ** Math.min(restarts, 10), HOUR_SECONDS);

/** What anyone may ask for a name or a number of others, it may have over all networks as often as in so many of them. */
export const MAX_NETWORKS = 3;

/** Seconds between sessions of a number in a network, of which the last ones were not confirmed. */
export const sessionCooldown = (unconfirmed: number): number =>
  unconfirmed < FREE_SESSIONS ? 0 : resendCooldown(unconfirmed - FREE_SESSIONS);
