import { foldSymbols, foldWords } from './fold-words.ts';
import { isSuppressible } from './opt-outs.ts';
import type { SendingErrorCode, SendingType } from './types.ts';

/** How the keywords of a rule are looked for in a message; `any` matches every message. */
export const INBOUND_MODES = ['any', 'equals', 'starts', 'contains'] as const;
export type InboundMode = (typeof INBOUND_MODES)[number];
export const INBOUND_ACTIONS = ['webhook', 'reply', 'list', 'task'] as const;
export type InboundAction = (typeof INBOUND_ACTIONS)[number];

export const MAX_INBOUND_RULES = 100;
export const MAX_INBOUND_KEYWORDS = 20;
export const MAX_INBOUND_KEYWORD = 60;
export const MAX_INBOUND_REPLY = 1000;
/** Minutes in which a person gets one reply of a rule. */
export const DEFAULT_REPLY_MINUTES = 60;
export const MAX_REPLY_MINUTES = 30 * 24 * 60;
/** Replies of all rules to one person within a day. */
export const MAX_REPLIES_PER_PERSON = 10;

/** Why a reply is not even tried. */
const REPLY_HOLDS = [
  'cooldown',
  'person_limit',
  'account_limit',
  'own_number',
  'echo',
  'already_replied',
  'no_address',
  'no_text_type',
  'unsubscribed',
] as const;
export type ReplyHold = (typeof REPLY_HOLDS)[number];
/** Refusals of a reply by the engine, the same as of any message. */
const REFUSALS = [
  'blacklisted',
  'insufficient_funds',
  'spend_cap_reached',
  'no_price',
  'no_value',
  'invalid_recipient',
  'sender_not_approved',
  'sender_not_registered',
  'phone_not_confirmed',
  'account_inactive',
  'type_unavailable',
] as const satisfies readonly SendingErrorCode[];
/** Why an action of a matching rule had no effect. `unavailable`: no channel takes the type now. */
export const INBOUND_HOLDS = [
  ...REPLY_HOLDS,
  ...REFUSALS,
  'unavailable',
  'failed',
  'webhook_off',
  'list_missing',
  'list_full',
  'forbidden',
] as const;
export type InboundHold = (typeof INBOUND_HOLDS)[number];

/** `inboundHold('provider_timeout')` is 'failed', as every reason that is none of its own. */
export const inboundHold = (code: string): InboundHold =>
  (INBOUND_HOLDS as readonly string[]).includes(code) ? (code as InboundHold) : 'failed';

/** What a rule looks for. */
export interface InboundCondition {
  /** No types: all. */
  types: readonly SendingType[];
  /** Null: any. */
  sender: string | null;
  mode: InboundMode;
  keywords: readonly string[];
}

export interface InboundMessage {
  type: SendingType;
  from: string;
  /** The sender name to which it is. */
  to: string;
  text: string;
}

/** Whether a keyword has anything that can be looked for: letters, digits or symbols. */
export const isKeyword = (keyword: string): boolean =>
  keyword.length <= MAX_INBOUND_KEYWORD && foldSymbols(keyword) !== '';

/** Rules with their keywords prepared, for many messages. */
export function createInboundMatcher<R extends InboundCondition & { isContinued: boolean }>(
  rules: readonly R[],
): (message: InboundMessage) => R[] {
  const compiled = rules.map((rule) => ({
    rule,
    types: new Set(rule.types),
    sender: rule.sender?.toLowerCase() ?? null,
    // A keyword of symbols alone, such as `+`, is compared with the symbols of the message.
    words: rule.keywords.map(foldWords).filter(Boolean),
    symbols: rule.keywords
      .filter((word) => !foldWords(word))
      .map(foldSymbols)
      .filter(Boolean),
  }));
  return (message) => {
    const matches: R[] = [];
    const to = message.to.toLowerCase();
    const words = foldWords(message.text);
    const symbols = foldSymbols(message.text);
    for (const { rule, types, sender, ...keywords } of compiled) {
      if (types.size && !types.has(message.type)) continue;
      if (sender !== null && sender !== to) continue;
      const isFound =
        rule.mode === 'any' ||
        keywords.words.some((word) => isIn(word, words, rule.mode)) ||
        keywords.symbols.some((word) => isIn(word, symbols, rule.mode));
      if (!isFound) continue;
      matches.push(rule);
      if (!rule.isContinued) break;
    }
    return matches;
  };
}

/** Both are folded, so that words are separated by one space. */
function isIn(keyword: string, text: string, mode: InboundMode): boolean {
  if (mode === 'equals') return text === keyword;
  if (mode === 'starts') return `${text} `.startsWith(`${keyword} `);
  return ` ${text} `.includes(` ${keyword} `);
}

/** Not to codes, checks and calls, which nobody reads. */
const canReplyIn = (type: SendingType): boolean =>
  isSuppressible(type) && type !== 'voice' && type !== 'sim_push';

/** What is known of the sender of a message when a reply is decided. */
export interface ReplyFacts {
  isSuppressed: boolean;
  /** A sender name or a connected number of the account itself. */
  isOwnNumber: boolean;
  /** Texts that the account has just sent to this person. */
  lastTexts: readonly string[];
  /** Replies of rules within a day, with those of messages before this one. */
  repliesToPerson: number;
  /** Replies that the account may still send within the hour. */
  repliesLeft: number;
  /** Whether the rule has replied to the person within its minutes. */
  isCooling: boolean;
}

/** `isPersonAddress('BANK')` is false: messages of services come from names, to which nothing can be sent. */
export const isPersonAddress = (from: string): boolean => /^\+\d{5,15}$|@/.test(from);

/** Why a reply to a message is held back; null if it may be sent. Protects from systems that answer each other. */
export function replyHold(message: InboundMessage, facts: ReplyFacts): ReplyHold | null {
  if (!canReplyIn(message.type)) return 'no_text_type';
  if (!isPersonAddress(message.from)) return 'no_address';
  if (facts.isOwnNumber || message.from === message.to) return 'own_number';
  if (facts.isSuppressed) return 'unsubscribed';
  const text = foldSymbols(message.text);
  if (text && facts.lastTexts.some((sent) => foldSymbols(sent) === text)) return 'echo';
  if (facts.isCooling) return 'cooldown';
  if (facts.repliesToPerson >= MAX_REPLIES_PER_PERSON) return 'person_limit';
  return facts.repliesLeft > 0 ? null : 'account_limit';
}
