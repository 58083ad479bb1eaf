import { foldWords } from './fold-words.ts';
import type { TrafficGroup } from './traffic.ts';
import type { SendingType } from './types.ts';

/** Why a person gets no messages: a word that the person wrote, the link of a message, or an entry of the account. */
export const SUPPRESSION_REASONS = ['stop', 'link', 'manual', 'import'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
/** Reasons given by the person, who can therefore take them back. */
export const OWN_REASONS: readonly SuppressionReason[] = ['stop', 'link'];

/** Words that end messages, as a whole message, until an account has its own. */
export const STOP_WORDS = [
  'STOP',
  'СТОП',
  'STOPALL',
  'UNSUBSCRIBE',
  'ОТПИСАТЬСЯ',
  'ОТПИСКА',
  'BAJA',
  'PARAR',
  'SAIR',
  'ARRÊT',
  'STOPP',
  'ABMELDEN',
  'BASTA',
] as const;
/** Words that start messages again. */
export const START_WORDS = ['START', 'СТАРТ', 'UNSTOP', 'ALTA', 'VOLTAR', 'RETOUR'] as const;

export const MAX_OPT_OUT_WORDS = 50;
export const MAX_OPT_OUT_WORD = 40;
export const MAX_CONFIRMATION = 300;

export const STOP_CONFIRMATION = 'Вы отписаны / You are unsubscribed. START: вернуться / return';
export const START_CONFIRMATION = 'Вы снова подписаны / You are subscribed again. STOP';

/** Characters of the token of a link: 128 bits of the message's id and 72 of its signature. */
const TOKEN_LENGTH = 34;

/** The link of a message by which its recipient unsubscribes. */
export const unsubscribeLink = (site: string, token: string): string => `${site}/u/${token}`;
/** A link to no message, as long as all others are. */
export const exampleUnsubscribeLink = (site: string): string =>
  unsubscribeLink(site, 'x'.repeat(TOKEN_LENGTH));

/** Codes that the person asks for, and checks of a number, which the person does not see. */
const EXEMPT_TYPES: ReadonlySet<SendingType> = new Set([
  'flashcall',
  'telegramcode',
  'hlr',
  'smsping',
]);

/** Whether people can opt out of a type. `isSuppressible('flashcall')` is false: it is a code that the person asked for. */
export const isSuppressible = (type: SendingType): boolean => !EXEMPT_TYPES.has(type);

/**
 * Whether an opt-out holds for a message: not for exempt types, and not for a single message of the traffic group `service`, such as a
 * code to sign in. A bulk is never exempt.
 */
export const respectsOptOut = (
  type: SendingType,
  { group, isBulk }: { group: TrafficGroup; isBulk: boolean },
): boolean => isSuppressible(type) && (isBulk || group !== 'service');

/** A word as it is compared: `« Стоп! »` is `стоп`. Empty when it has no letters or digits, or is too long. */
export function optOutWord(text: string): string {
  return text.length > 2 * MAX_OPT_OUT_WORD ? '' : foldWords(text);
}

export interface OptOutWords {
  stopWords: readonly string[];
  startWords: readonly string[];
}

/**
 * What a message asks for, if it consists of one of the words: `('Стоп!', words)` is 'stop', `('Please stop it', words)` null. A word
 * within a sentence is not a request.
 */
export function optOutOf(
  text: string,
  { stopWords, startWords }: OptOutWords,
): 'stop' | 'start' | null {
  const written = optOutWord(text);
  if (!written) return null;
  const isOf = (words: readonly string[]) => words.some((word) => optOutWord(word) === written);
  return isOf(stopWords) ? 'stop' : isOf(startWords) ? 'start' : null;
}

/** Fewer opt-outs in a day are never unusual; more are if they are this many times those of the days before. */
export const SPIKE_MIN = 20;
const SPIKE_FACTOR = 3;
export const SPIKE_DAYS = 7;

/** Whether the opt-outs of a day are unusually many: `isSpike(60, 70)`, with 70 in the seven days before, is true. */
export const isSpike = (today: number, before: number): boolean =>
  today >= SPIKE_MIN && today >= (SPIKE_FACTOR * before) / SPIKE_DAYS;
