import { triggersOf, type SendingInput } from '@heliograph/contract';
import {
  compileText,
  normalizeEmail,
  parsePhone,
  type CompiledText,
  type FallbackPlan,
  type ParsedPhone,
  type SendingType,
} from '@heliograph/domain';

type Payload = SendingInput['payload'];

/** What a sending is to say at each attempt: the sending itself, then its fallbacks. */
export interface AttemptPlan {
  type: SendingType;
  sender: string;
  payload: Payload;
  text: CompiledText | null;
  /** How long the audio plays that a voice call is billed by; null when it is spoken from the text. */
  audioSeconds: number | null;
}

/** A sending as it was asked for: stands in its task's `data.sending`, or in a single's own `data`. */
export interface StoredSending {
  type: SendingType;
  payload: Payload;
  fallbacks: SendingInput['fallbacks'];
  /** Of the audio files that it names, by id, as they were when it was asked for. */
  audioSeconds?: Record<string, number>;
  /** The client's own, which comes back with each of its sendings. */
  callbackData?: string;
  /** When it was to go, and what it is called: told with each of its sendings. */
  schedule?: SendingInput['schedule'];
  options?: SendingInput['options'];
}

/** A sending whose files are known to be there. */
export type ResolvedSending = SendingInput &
  Required<Pick<StoredSending, 'audioSeconds'>> & {
    /** Files among them that would expire. */
    expiring: string[];
  };

/** Under this name the contact list that a recipient was found in is kept among the values for its fallbacks: prices may ask for it. */
export const LIST = '$list';

/** A chain's attempts and the triggers between them. */
export interface ChainPlan {
  attempts: AttemptPlan[];
  triggers: FallbackPlan;
  /** Variables that some attempt's text names. */
  names: string[];
  /** Those of the fallbacks alone: their values are kept with the first attempt. */
  laterNames: string[];
}

export function chainPlan({ type, payload, fallbacks, audioSeconds }: StoredSending): ChainPlan {
  const attempts = [{ type, payload }, ...fallbacks].map((a) => ({
    type: a.type,
    sender: a.payload.sender,
    payload: a.payload,
    text: a.payload.text ? compileText(a.payload.text) : null,
    audioSeconds: audioSeconds?.[a.payload.audio ?? ''] ?? null,
  }));
  const names = (some: AttemptPlan[]) => [...new Set(some.flatMap((a) => a.text?.names ?? []))];
  const laterNames = names(attempts.slice(1));
  // A fallback that goes to another kind of address than the first attempt needs that one, too.
  for (const { type: later } of attempts.slice(1)) {
    const address = addressField(later);
    if (address !== addressField(type) && !laterNames.includes(address)) laterNames.push(address);
  }
  return {
    attempts,
    triggers: fallbacks.map((f) => triggersOf(f.options)),
    names: [...new Set([...names(attempts), ...laterNames])],
    laterNames,
  };
}

/** Where a message of a type goes. */
export function addressField(type: SendingType): 'phone' | 'email' {
  return type === 'email' ? 'email' : 'phone';
}

/** What is known of somebody by an address alone. */
export const ownValues = (address: string): Record<string, string> => ({
  [address.startsWith('+') ? 'phone' : 'email']: address,
});

/** An address, and the country whose calling code was added to a phone that had none. */
export type ReadAddress = Pick<ParsedPhone, 'assumed'> & { address: string };

/**
 * An address of the kind that a type needs, in its one spelling; null when it is none. `country` is the account's, by which phones
 * without a calling code are read: `('sms', '8 902 000-00-01', 'RU')` is +79020000001, assumed to be Russian.
 */
export function readAddress(type: SendingType, text: string, country?: string): ReadAddress | null {
  if (addressField(type) === 'email') {
    const address = normalizeEmail(text);
    return address === null ? null : { address, assumed: null };
  }
  const read = parsePhone(text, country);
  return read && { address: read.phone, assumed: read.assumed };
}

/** The same, the address alone. */
export const addressOf = (type: SendingType, text: string, country?: string): string | null =>
  readAddress(type, text, country)?.address ?? null;

const PLANS = new Map<string, ChainPlan>();

/** The plan of a stored sending; one that never changes is compiled once. */
export function planOf(key: string, stored: StoredSending): ChainPlan {
  let plan = PLANS.get(key);
  if (!plan) {
    if (PLANS.size > 1000) PLANS.clear();
    plan = chainPlan(stored);
    PLANS.set(key, plan);
  }
  return plan;
}
