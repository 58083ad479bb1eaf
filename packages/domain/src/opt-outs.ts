import { foldWords } from './fold-words.ts';
import { stripInvisible } from './invisible.ts';
import type { TrafficGroup } from './traffic.ts';
import type { SendingType } from './types.ts';

/**
 * Why a person gets no messages: a word that the person wrote, the link of a message, an entry of the account, an address that does not
 * exist, or a complaint to the provider of the mailbox.
 */
export const SUPPRESSION_REASONS = [
  'stop',
  'link',
  'manual',
  'import',
  'bounce',
  'complaint',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
/** Reasons given by the person, who can therefore take them back. */
export const OWN_REASONS: readonly SuppressionReason[] = ['stop', 'link'];

/**
 * Words that end messages, as a whole message, until an account has its own: those of the languages of the product, and those that
 * carriers of North America require.
 */
export const STOP_WORDS = [
  'STOP',
  'СТОП',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'UN-SUBSCRIBE',
  'UNSUB',
  'END',
  'QUIT',
  'CANCEL',
  'OPTOUT',
  'OPT OUT',
  'REVOKE',
  'ОТПИСАТЬСЯ',
  'ОТПИСКА',
  'ОТПИШИТЕ',
  'ОТПИШИТЕ МЕНЯ',
  'ОТПИСАТЬ',
  'BAJA',
  'DAR DE BAJA',
  'PARAR',
  'PARE',
  'CANCELAR',
  'SAIR',
  'DESCADASTRAR',
  'ARRÊT',
  'ARRÊTER',
  'DÉSABONNER',
  'DÉSABONNEMENT',
  'DÉSINSCRIRE',
  'STOPP',
  'ABMELDEN',
  'ABMELDUNG',
  'ABBESTELLEN',
  'BASTA',
  'DISISCRIVI',
  'DISISCRIVIMI',
  'CANCELLAMI',
] as const;
/** Words that start messages again. */
export const START_WORDS = [
  'START',
  'СТАРТ',
  'UNSTOP',
  'SUBSCRIBE',
  'ПОДПИСАТЬСЯ',
  'ALTA',
  'VOLTAR',
  'RETOUR',
  'ANMELDEN',
  'ISCRIVIMI',
] as const;

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

/** Letters of other alphabets as the Latin ones that they look like; those of Lisu and Cherokee look like capitals. */
const LOOK_ALIKES = new Map(
  (
    'аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ѵv αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx ϲc ıi օo ոn սu տs ' +
    'ᴀa ʙb ᴄc ᴅd ᴇe ɪi ᴋk ʟl ᴍm ɴn ᴏo ᴘp ǫq ʀr ꜱs ᴛt ᴜu ᴠv ɡg ɑa ' +
    'ꓐb ꓑp ꓓd ꓔt ꓖg ꓗk ꓙj ꓚc ꓜz ꓝf ꓟm ꓠn ꓡl ꓢs ꓣr ꓦv ꓧh ꓪw ꓫx ꓬy ꓮa ꓰe ꓲi ꓳo ꓴu ' +
    'Ꭺa Ꭰd Ꭼe Ꮐg Ꮋh Ꭻj Ꮶk Ꮮl Ꮇm Ꮲp Ꭱr Ꮪs Ꭲt Ꮩv Ꮃw Ꮓz Ᏼb Ꮯc'
  )
    .split(' ')
    .map((pair) => [pair[0]!.toLowerCase(), pair[1]!]),
);
/** Letters in boxes and circles, and those of flags, have no compatible form: `🆂🆃🅾🅿`. */
const BOXED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const BOXED_A = [0x1f150, 0x1f170, 0x1f1e6];
const unboxed = (text: string): string =>
  text.replace(BOXED, (letter) => {
    const code = letter.codePointAt(0)!;
    return String.fromCharCode(0x61 + code - BOXED_A.findLast((first) => first <= code)!);
  });
/** A zero that stands for a letter. */
const ZERO = /(?<=\p{L})0|0(?=\p{L})/gu;
/** Letters apart: `s t o p`. */
const SPACED = /^\p{L}(?: \p{L}){2,}$/u;
/** A word and the same again: `stop stop`. */
const REPEATED = /^(\S+)(?: \1)+$/u;

/**
 * A word as it is compared, with the same key for all words that look the same: `SТОР` in letters of two alphabets is `stop`, as
 * `« Stop! »` and `Stop, stop` are. Empty when it has no letters or digits, or is too long.
 */
export function optOutWord(text: string): string {
  if (text.length > 2 * MAX_OPT_OUT_WORD) return '';
  const folded = foldWords(unboxed(stripInvisible(text))).replace(ZERO, 'o');
  const joined = SPACED.test(folded) ? folded.replaceAll(' ', '') : folded;
  const latin = Array.from(joined, (letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
  return latin.replace(REPEATED, '$1');
}

export interface OptOutWords {
  stopWords: readonly string[];
  startWords: readonly string[];
}

/** A longer message is no request, whatever stands below its first line. */
const MAX_SIGNED = 1000;
/** How what a program adds below a message begins: a mark, a quotation, or the name of the program. */
const SIGNATURE =
  /^(?:--|__|—|–|>|sent (?:from|with|via)\b|yahoo mail\b|отправлено |enviado |envoyé |gesendet |von meinem |inviato |.{0,20}\boutlook (?:for|для|para|pour|für|per) (?:ios|android|mac|windows)(?=$|[ <(]*https?:))/iu;
/** `Best regards,` and `С уважением, Анна`: a greeting at the end, with or without a name. */
const VALEDICTION =
  /^(?:(?:(?:best|kind|warm) )?(?:regards|wishes)|sincerely|yours|cheers|(?:many )?thanks|thank you|br|с (?:уважением|ув\.?|наилучшими пожеланиями)|всего доброго|спасибо|(?:mit )?(?:freundlichen|besten|vielen|viele|liebe) (?:grüßen|grüße|dank)|mfg|danke|(?:bien )?cordialement|bien à vous|merci|(?:un )?(?:saludos?|abrazo)|a presto|atentamente|gracias|(?:cordiali |distinti )?saluti|grazie|atenciosamente|(?:melhores )?cumprimentos|obrigad[oa])(?:$|[,.!]+(?:$| \p{Lu}))/iu;
/** The first line of a quotation, as mail programs write it: `Am 1.12.2026 schrieb Tee:`, `Anna <anna@tea.example>:` */
const QUOTED =
  /(?:wrote|пишет|писала?|schrieb|a écrit|escribió|ha scritto|escreveu)(?!\p{L}).{0,80}:$|<\S{1,100}@\S{1,100}>:?$/iu;
/** A phone, an e-mail address or a page, alone on the line. */
const OWN_ADDRESS =
  /^(?:\+?[\d() -]{7,20}|\S{1,64}@\S{1,255}|https?:\/\/\S{1,255}|www\.\S{1,255})$/iu;
/** One to three words with capitals, also behind a dash: the name of a person. */
const NAME = /^(?:[-~] ?)?\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,2}$/u;
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/;

/** What a person wrote, without the signature below it. A next line that goes on with the sentence is no signature. */
function withoutSignature(text: string): string {
  const [first = '', ...below] = text
    .slice(0, MAX_SIGNED + 1)
    .trim()
    .split(LINE_BREAK);
  if (!below.length || text.length > MAX_SIGNED) return text;
  const [next = '', ...others] = below.map((line) => line.trim()).filter((line) => line !== '');
  const isSignature =
    [SIGNATURE, VALEDICTION, QUOTED, OWN_ADDRESS].some((form) => form.test(next)) ||
    (!others.length && NAME.test(next));
  return isSignature ? first : text;
}

/**
 * What a message asks for, if it consists of one of the words: `('Стоп!', words)` is 'stop', `('Please stop it', words)` null. A word
 * within a sentence is not a request; a signature below it does not count, nor do letters of another alphabet that look the same.
 */
export function optOutOf(
  text: string,
  { stopWords, startWords }: OptOutWords,
): 'stop' | 'start' | null {
  const written = optOutWord(withoutSignature(text));
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
