import { incline } from 'lvovich';

/** Longer texts are returned unchanged. */
const MAX_LENGTH = 300;

/** The library treats these as male, like names on a soft sign that are. */
const FEMALE_NAMES: Record<string, string> = {
  любовь: 'Любови',
  нинель: 'Нинели',
  рахиль: 'Рахили',
  юдифь: 'Юдифи',
  эсфирь: 'Эсфири',
  адель: 'Адели',
};

const PATRONYMIC = /(?:вич|ьич|мич|вна|чна|шна)$/i;
/** `Кузнец` keeps its vowel, which the library drops: `Кузнеца`. */
const STEM_WITH_E = /[бвгджзклмпрстфхцчшщ]нец$/i;

/**
 * The genitive of a person's full name (last name, first name, patronymic), as contracts need it: `Седова Романа Ильича`. The
 * patronymic decides the gender, otherwise the first name. Names in Latin letters, initials, and names that do not decline stay
 * as they are. The result is a proposal: rules cannot know every name.
 */
export function fullNameGenitive(fullName: string): string {
  const words = fullName.trim().split(/\s+/);
  if (fullName.length > MAX_LENGTH || words.length < 2 || words.length > 3) return fullName.trim();
  // `Роман Ильич Седов`: the patronymic is in the middle.
  if (words.length === 3 && PATRONYMIC.test(words[1]!)) {
    const [first = '', middle = '', last = ''] = words;
    const [ofLast, ...others] = fullNameGenitive(`${last} ${first} ${middle}`).split(' ');
    return [...others, ofLast].join(' ');
  }
  const [last, first, middle] = words.map((word) => (isCyrillicName(word) ? word : undefined));
  const gender = genderOf(first, middle);
  const declined = incline({ last, first, middle, ...(gender && { gender }) }, 'genitive');
  const female = gender === 'female' && first ? FEMALE_NAMES[first.toLowerCase()] : undefined;
  return [
    (last && gender !== 'female' && STEM_WITH_E.test(last) ? `${last}а` : last && declined.last) ||
      words[0],
    female ?? ((first && declined.first) || words[1]),
    (middle && declined.middle) || words[2],
  ]
    .filter(Boolean)
    .join(' ');
}

const isCyrillicName = (word: string) =>
  /^\p{Script=Cyrillic}{2,}(?:-\p{Script=Cyrillic}+)*$/u.test(word);

function genderOf(first = '', middle = ''): 'male' | 'female' | null {
  if (/(?:вна|чна|шна|кызы)$/i.test(middle)) return 'female';
  if (/(?:ич|оглы|улы)$/i.test(middle)) return 'male';
  return Object.hasOwn(FEMALE_NAMES, first.toLowerCase()) ? 'female' : null;
}

/** `Седов Р. И.` of `Седов Роман Ильич`. */
export function shortName(fullName: string): string {
  const [last = '', ...rest] = fullName.trim().split(/\s+/).slice(0, 3);
  const initials = rest.map((word) => `${[...word][0]}.`);
  return [last, ...initials].join(' ');
}

/** Endings of adjectives in the nominative, with those of the genitive. */
const ADJECTIVES: [RegExp, string][] = [
  [/([гкхжчшщ])ий$/i, '$1его'],
  [/([гкх])ой$/i, '$1ого'],
  [/(?:ый|ой)$/i, 'ого'],
  [/ий$/i, 'его'],
  [/([жчшщ])ая$/i, '$1ей'],
  [/ая$/i, 'ой'],
  [/яя$/i, 'ей'],
];
/** After these consonants the adjective ends with -ого: `технического`. */
const HARD_ADJECTIVE = /([гкх])ий$/i;

/** Endings of nouns. Nouns with other endings do not decline. */
const NOUNS: [RegExp, string][] = [
  [/([гкхжчшщ])а$/i, '$1и'],
  [/ия$/i, 'ии'],
  [/а$/i, 'ы'],
  [/я$/i, 'и'],
  [/лец$/i, 'льца'],
  [/ец$/i, 'ца'],
  [/(?:ь|й)$/i, 'я'],
  [/(?<=[бвгджзклмнпрстфхцчшщ])$/i, 'а'],
];
/** Abbreviations of `acting`, which do not decline; the noun after them is a genitive already. */
const ACTING = /^(?:врио|вр\.|и\.)/i;
/** Heads of phrases that end like masculine nouns with -ь but are feminine. */
const FEMININE_SOFT = /(?:ость|вь|знь|ать)$/i;

/**
 * The genitive of a position: the adjectives and the noun at its beginning decline, what depends on them stays:
 * `Генеральный директор` is `Генерального директора`, `Заместитель директора по продажам` is `Заместителя директора по продажам`.
 */
export function positionGenitive(position: string): string {
  const text = position.trim();
  if (text.length > MAX_LENGTH || ACTING.test(text)) return text;
  let isDone = false;
  const words = text.split(/(\s+)/);
  return words
    .map((word, at) => {
      if (isDone || !/^[\p{Script=Cyrillic}-]+$/u.test(word)) return word;
      const parts = word.split('-');
      const isPhrase = parts.every((part) => isAdjective(part));
      isDone = !isPhrase || isHead(word, words[at + 2]);
      // The last part of `вице-президент` declines, both of `директор-распорядитель`.
      return parts
        .map((part, i) =>
          i < parts.length - 1 && /[оеяи]$/i.test(part) ? part : declineWord(part),
        )
        .join('-');
    })
    .join('');
}

/** `Заведующий складом` is a noun by its sense: the instrumental after it stays. `Управляющий партнёр` is not. */
const isHead = (word: string, next = '') =>
  /[аюя]щ(?:ий|ая)$/i.test(word) && /(?:[оеё]м|[оеё]й|[аяи]ми)$/i.test(next);

/** Positions that are adjectives by their form are declined as such: `Управляющий`, `Заведующая`. */
const isAdjective = (word: string) => /(?:[ыио]й|[ая]я)$/i.test(word) && word.length > 3;

function declineWord(word: string): string {
  if (isAdjective(word)) {
    if (HARD_ADJECTIVE.test(word)) return word.replace(HARD_ADJECTIVE, '$1ого');
    const [ending, genitive] = ADJECTIVES.find(([pattern]) => pattern.test(word))!;
    return word.replace(ending, genitive);
  }
  if (FEMININE_SOFT.test(word)) return word.replace(/ь$/i, 'и');
  const found = NOUNS.find(([pattern]) => pattern.test(word));
  return found ? word.replace(found[0], found[1]) : word;
}

/** What a signer acts on, with the genitive that contracts use. */
export const SIGNING_BASES = [
  { nominative: 'Устав', genitive: 'Устава' },
  {
    nominative: 'Свидетельство о государственной регистрации',
    genitive: 'Свидетельства о государственной регистрации',
  },
] as const;

/** `Доверенность № 12 от 01.02.2026` is `Доверенности № 12 от 01.02.2026`: the first noun declines. */
export function basisGenitive(basis: string): string {
  const text = basis.trim();
  const preset = SIGNING_BASES.find(({ nominative }) => nominative === text);
  if (preset) return preset.genitive;
  if (text.length > MAX_LENGTH) return text;
  const [head = ''] = text.split(/\s/, 1);
  const rest = text.slice(head.length);
  if (head.toLowerCase().endsWith('тво')) return `${head.slice(0, -1)}а${rest}`;
  if (head.toLowerCase().endsWith('ние')) return `${head.slice(0, -1)}я${rest}`;
  return `${positionGenitive(head)}${rest}`;
}
