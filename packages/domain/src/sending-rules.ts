import { isTestNumber } from './test-numbers.ts';
import type { SendingType } from './types.ts';

/** Account settings that determine whether a message can be sent. */
export interface SendingRules {
  isActive: boolean;
  types: readonly SendingType[];
  /** Types that need an approved sender name. */
  sendernamesCheck: readonly SendingType[];
  /** Active approved names as they were approved, by `senderKey`. */
  approvedSenders: ReadonlyMap<string, string>;
  /** The sender name granted to every new account. */
  demoSender: string;
  /** The registered phone, E.164. */
  phone: string | null;
  isPhoneConfirmed: boolean;
}

export type RulesRefusal =
  | 'account_inactive'
  | 'type_unavailable'
  | 'phone_not_confirmed'
  | 'sender_not_approved'
  | 'instance_not_authorized';

/** Rules of a group, in addition to those of the account. Absent rules add no restriction. */
export type MessageRules = Partial<Pick<SendingRules, 'types' | 'sendernamesCheck'>>;

/** Combines the rules of an account with those of its groups: types that all allow, and all required checks. */
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

/** Maximum messages per day to one unconfirmed phone, from all accounts together, and from one account. */
export const UNCONFIRMED_MESSAGES_PER_DAY = 3;

/**
 * Lookup key of a sender name. All types except voice and wapi, whose senders are phones, share the names of sms:
 * `senderKey('viber', 'MirTea')` is 'sms:mirtea'.
 */
export function senderKey(type: SendingType, name: string): string {
  return `${type === 'voice' || type === 'wapi' ? type : 'sms'}:${name.toLowerCase()}`;
}

/**
 * A sender name as it was approved, whatever case was typed: carriers compare letter by letter. Another name stays as it is, and the
 * checks decide about it.
 */
export function approvedSpelling(
  { approvedSenders, demoSender }: Pick<SendingRules, 'approvedSenders' | 'demoSender'>,
  { type, sender }: { type: SendingType; sender: string },
): string {
  const approved = approvedSenders.get(senderKey(type, sender));
  if (approved !== undefined) return approved;
  return sender.toLowerCase() === demoSender.toLowerCase() ? demoSender : sender;
}

/**
 * Whether an account can send only to test numbers and its registered phone, from the demo sender. Confirming the phone
 * removes the restriction, also for trial accounts; a payment does not. See docs/decisions/015-free-credit.md.
 */
export function isRestricted({
  isPhoneConfirmed,
}: Pick<SendingRules, 'isPhoneConfirmed'>): boolean {
  return !isPhoneConfirmed;
}

/** Why an attempt with this type and sender is refused for all recipients; null if it is allowed. */
export function attemptRefusal(
  rules: SendingRules,
  { type, sender }: { type: SendingType; sender: string },
): RulesRefusal | null {
  if (!rules.isActive) return 'account_inactive';
  if (!rules.types.includes(type)) return 'type_unavailable';
  const isDemo = sender.toLowerCase() === rules.demoSender.toLowerCase();
  // An e-mail address is neither a test number nor the registered phone.
  if (isRestricted(rules) && (!isDemo || type === 'email')) return 'phone_not_confirmed';
  // The sender is the phone of an own instance, whatever the settings say.
  if (type === 'wapi' && !rules.approvedSenders.has(senderKey(type, sender)))
    return 'instance_not_authorized';
  const isChecked = rules.sendernamesCheck.includes(type);
  if (isChecked && !rules.approvedSenders.has(senderKey(type, sender)))
    return 'sender_not_approved';
  return null;
}

/**
 * Whether an account can send to an address. `always`: the account is not restricted, or the address is a test number.
 * `limited`: the registered phone of a restricted account (`UNCONFIRMED_MESSAGES_PER_DAY`). `never`: any other address.
 */
export function recipientAccess(
  rules: Pick<SendingRules, 'isPhoneConfirmed' | 'phone'>,
  address: string,
): 'always' | 'limited' | 'never' {
  if (!isRestricted(rules) || isTestNumber(address)) return 'always';
  return address === rules.phone ? 'limited' : 'never';
}
