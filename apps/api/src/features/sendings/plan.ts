import { triggersOf, type SendingInput } from '@heliograph/contract';
import {
  CLICK_CODE,
  compileClickCodes,
  compileContent,
  normalizeEmail,
  isSuppressible,
  parsePhone,
  typeCode,
  typesByFailure,
  UNSUBSCRIBE_VARIABLE,
  type CompiledContent,
  type FallbackPlan,
  type ParsedPhone,
  type SendingType,
  type WebhookStatus,
} from '@heliograph/domain';
import { LRUCache } from 'lru-cache';
import type { Addressed } from '../suppressions/suppressions.service.ts';

type Payload = SendingInput['payload'];

/** One attempt of a chain: the sending itself or one of its fallbacks. */
export interface AttemptPlan {
  type: SendingType;
  sender: string;
  payload: Payload;
  content: CompiledContent;
  /** Whether it has the link to unsubscribe, which is separate for each message. */
  hasLink: boolean;
  /** Whether it has short links with a code of its recipient. */
  hasClickCodes: boolean;
  /** Length of the audio by which a voice call is billed; null for text to speech. */
  audioSeconds: number | null;
}

/** An address as it was given over SMPP. */
export interface SmppAddress {
  ton: number;
  npi: number;
  address: string;
}

export interface SmppOrigin {
  /** The bits of `registered_delivery`: 1 receipts of each outcome, 2 of failures. */
  receipt: 1 | 2;
  source: SmppAddress;
  /** Its parts, which have ids of their own, are in `smpp_parts`. */
  isJoined?: true;
}

/** Where the call that sent a message wants its statuses reported, and how. */
export interface StatusCallback {
  /** The queue, a row of `webhooks` that is no webhook of anybody. */
  WebhookId: string;
  statuses: WebhookStatus[];
  url: string;
  /** What the API of the call reports besides the message. */
  values: Record<string, string>;
}

/** The door by which a message came, as far as its reports need it. */
export type SendingOrigin = Pick<StoredSending, 'smpp' | 'callback'>;

/** The request of a sending, stored in its task's `data.sending`, or for a single in its batch's `plan`. */
export interface StoredSending {
  type: SendingType;
  payload: Payload;
  fallbacks: SendingInput['fallbacks'];
  /** Lengths of its audio files by id, at the time of the request. */
  audioSeconds?: Record<string, number>;
  /** Set by the client and returned with each of the sendings. */
  callbackData?: string;
  /** Returned with each of the sendings. */
  schedule?: SendingInput['schedule'];
  options?: SendingInput['options'];
  /** Of a single, if it is not normal. */
  priority?: SendingInput['priority'];
  /** The texts are in `sealed_texts`; here asterisks stand for the secret. */
  isSealed?: true;
  /** Opt-outs hold for a single as for a bulk, also in the traffic group `service`: an automation sends it, and nobody waits for it. */
  respectsOptOut?: true;
  /** Of a test token: it reaches nobody and costs nothing. */
  live?: false;
  /** Of a bulk that tells who clicked: its number in codes of recipients, and its short links. */
  clicks?: { task: number; links: string[] };
  /** How it was submitted over SMPP, if its receipts were asked for there. */
  smpp?: SmppOrigin;
  /** Of an API whose calls name a URL for the statuses of their messages. */
  callback?: StatusCallback;
  /** The API token of the request. Stored for a single with fallbacks; that of a bulk is a column of its task. */
  tokenId?: string;
}

/** A request whose files exist and belong to the owner. */
export type ResolvedSending = SendingInput &
  Required<Pick<StoredSending, 'audioSeconds'>> &
  Pick<
    StoredSending,
    'clicks' | 'tokenId' | 'isSealed' | 'respectsOptOut' | 'smpp' | 'callback' | 'live'
  > & {
    /** Ids of its files that have an expiry. */
    expiring: string[];
  };

/** Key of the recipient's contact list among its stored variables: prices of fallbacks may depend on the list. */
export const LIST_VARIABLE = '$list';

/** A chain's attempts and the triggers between them. */
export interface ChainPlan {
  attempts: AttemptPlan[];
  triggers: FallbackPlan;
  /** Variables used by all attempts. */
  names: string[];
  /** Variables that the fallbacks need: their values are stored with the first attempt. */
  fallbackNames: string[];
}

export function chainPlan({
  type,
  payload,
  fallbacks,
  audioSeconds,
  clicks,
}: StoredSending): ChainPlan {
  const attempts = [{ type, payload }, ...fallbacks].map((a) => {
    // Names were checked with the request, which says where their values come from.
    const compiled = compileContent(a.type, a.payload, 'any');
    const coded = clicks ? compileClickCodes(compiled, a.payload, clicks.links) : null;
    const content = coded ?? compiled;
    return {
      type: a.type,
      sender: a.payload.sender,
      payload: a.payload,
      content,
      hasLink: content.names.includes(UNSUBSCRIBE_VARIABLE),
      hasClickCodes: coded !== null,
      audioSeconds: audioSeconds?.[a.payload.audio ?? ''] ?? null,
    };
  });
  const variablesOf = (plans: AttemptPlan[]) => [
    ...new Set(plans.flatMap((a) => a.content.names).filter((n) => n !== UNSUBSCRIBE_VARIABLE)),
  ];
  const fallbackNames = variablesOf(attempts.slice(1));
  // A fallback to another kind of address needs that address of the contact.
  for (const fallback of attempts.slice(1)) {
    const field = addressField(fallback.type);
    if (field !== addressField(type) && !fallbackNames.includes(field)) fallbackNames.push(field);
  }
  return {
    attempts,
    triggers: fallbacks.map((f) => triggersOf(f.options)),
    names: [...new Set([...variablesOf(attempts), ...fallbackNames])],
    fallbackNames,
  };
}

/** Stored for the fallbacks of a recipient: values of their variables, the code in their links, and the list where a price depends on it. */
export function varsFor(
  { attempts, fallbackNames }: ChainPlan,
  values: Record<string, string | null>,
  list: string | null = null,
): Record<string, string | null> | null {
  const vars: Record<string, string | null> = {};
  for (const name of fallbackNames) vars[name] = values[name] ?? null;
  if (list) vars[LIST_VARIABLE] = list;
  if (values[CLICK_CODE] && attempts.slice(1).some((a) => a.hasClickCodes))
    vars[CLICK_CODE] = values[CLICK_CODE];
  return Object.keys(vars).length ? vars : null;
}

/** The types of all attempts. */
export const typesOf = ({ type, fallbacks }: StoredSending): SendingType[] => [
  type,
  ...fallbacks.map((fallback) => fallback.type),
];

/** The types by which a chain goes on to a person who has opted out of its first one; empty if it ends with that. */
export const typesAfterOptOut = ({ attempts, triggers }: ChainPlan): SendingType[] =>
  typesByFailure(attempts, triggers)
    .slice(1)
    .map(({ type }) => type)
    .filter(isSuppressible);

/** The contact field that holds the address of a type. */
export function addressField(type: SendingType): 'phone' | 'email' {
  return type === 'email' ? 'email' : 'phone';
}

/** Variables of a recipient who is known by an address only. */
export const ownValues = (address: string): Record<string, string> => ({
  [address.startsWith('+') ? 'phone' : 'email']: address,
});

/** A normalized address; `assumed` is the country whose calling code was added to a phone without one. */
export type ReadAddress = Pick<ParsedPhone, 'assumed'> & { address: string };

/**
 * Parses and normalizes an address of the kind that a type needs; null when it is invalid. Phones without a calling code are read by
 * `country`, the account's: `('sms', '8 902 000-00-01', 'RU')` is +79020000001, assumed to be Russian.
 */
export function readAddress(type: SendingType, text: string, country?: string): ReadAddress | null {
  if (addressField(type) === 'email') {
    const address = normalizeEmail(text);
    return address === null ? null : { address, assumed: null };
  }
  const read = parsePhone(text, country);
  return read && { address: read.phone, assumed: read.assumed };
}

/** The messages by which it is decided whether a person has opted out of a chain; those to an address that is not known are left out. */
export function optOutChain(
  OwnerId: string,
  [first, ...next]: readonly [SendingType, ...SendingType[]],
  address: string,
  values: Record<string, string | null> = {},
): [Addressed, ...Addressed[]] {
  const others = next.flatMap((type) => {
    const field = addressField(type);
    const to = field === addressField(first) ? address : addressOf(type, values[field] ?? '');
    return to ? { OwnerId, address: to, type: typeCode(type) } : [];
  });
  return [{ OwnerId, address, type: typeCode(first) }, ...others];
}

/** The normalized address, or null. */
export const addressOf = (type: SendingType, text: string, country?: string): string | null =>
  readAddress(type, text, country)?.address ?? null;

const cachedPlans = new LRUCache<string, ChainPlan, StoredSending>({
  max: 1000,
  memoMethod: (_key, _stale, { context }) => chainPlan(context),
});

/** The compiled plan of a stored request. Requests never change once a message of them exists, so a plan is cached under the id of its task or chain. */
export const planOf = (key: string, stored: StoredSending): ChainPlan =>
  cachedPlans.memo(key, { context: stored });
