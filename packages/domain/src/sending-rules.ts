import { isTestNumber } from './carrier/test-numbers.ts';
import type { SendingType } from './types.ts';

/** What decides whether an account may send something now. */
export interface SendingRules {
  isActive: boolean;
  types: readonly SendingType[];
  /** Types that need an approved sender name. */
  sendernamesCheck: readonly SendingType[];
  /** Approved names that are in use, as `senderKey` writes them. */
  approvedSenders: ReadonlySet<string>;
  /** The name that every new account is given. */
  demoSender: string;
  /** The registered phone, E.164. */
  phone: string | null;
  isPhoneConfirmed: boolean;
}

export type RulesRefusal =
  | 'account_inactive'
  | 'type_unavailable'
  | 'phone_not_confirmed'
  | 'sender_not_approved';

/** Rules that hold beside those of an account; what one does not say it leaves as it is. */
export type MessageRules = Partial<Pick<SendingRules, 'types' | 'sendernamesCheck'>>;

/** The stricter of an account's own rules and of others: what all allow, and a check that one of them asks for. */
export function strictestRules<Rules extends Required<MessageRules>>(
  own: Rules,
  others: readonly MessageRules[],
): Rules {
  if (!others.length) return own;
  const checked = others.flatMap(({ sendernamesCheck }) => sendernamesCheck ?? []);
  return {
    ...own,
    types: own.types.filter((type) => others.every(({ types }) => types?.includes(type) ?? true)),
    sendernamesCheck: [...new Set([...own.sendernamesCheck, ...checked])],
  };
}

/** So many messages a day reach one unconfirmed phone, from all accounts together, and so many one account sends there. */
export const UNCONFIRMED_MESSAGES_PER_DAY = 3;

/** Calls come from numbers, everything else from names: `senderKey('viber', 'MirTea')` is 'sms:mirtea'. */
export function senderKey(type: SendingType, name: string): string {
  return `${type === 'voice' ? 'voice' : 'sms'}:${name.toLowerCase()}`;
}

/**
 * Whether an account reaches only test numbers and its registered phone, from the demo sender. Confirming the phone by a
 * code lifts it, for a test account too; money that came in does not. docs/decisions/015-free-credit.md.
 */
export function isRestricted({
  isPhoneConfirmed,
}: Pick<SendingRules, 'isPhoneConfirmed'>): boolean {
  return !isPhoneConfirmed;
}

/** Why an attempt of this type and sender may not be sent to anybody; null when it may. */
export function attemptRefusal(
  rules: SendingRules,
  { type, sender }: { type: SendingType; sender: string },
): RulesRefusal | null {
  if (!rules.isActive) return 'account_inactive';
  if (!rules.types.includes(type)) return 'type_unavailable';
  const isDemo = sender.toLowerCase() === rules.demoSender.toLowerCase();
  // An e-mail address is neither a test number nor the registered phone.
  if (isRestricted(rules) && (!isDemo || type === 'email')) return 'phone_not_confirmed';
  const isChecked = rules.sendernamesCheck.includes(type);
  if (isChecked && !rules.approvedSenders.has(senderKey(type, sender)))
    return 'sender_not_approved';
  return null;
}

/**
 * Whether a restricted account reaches an address: always (a test number), a few times a day (its registered phone), never.
 * An account that is not restricted reaches everybody.
 */
export function recipientAccess(
  rules: Pick<SendingRules, 'isPhoneConfirmed' | 'phone'>,
  address: string,
): 'always' | 'limited' | 'never' {
  if (!isRestricted(rules) || isTestNumber(address)) return 'always';
  return address === rules.phone ? 'limited' : 'never';
}
