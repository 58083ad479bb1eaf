import type { Money } from './money.ts';
import { toKopecks } from './vat.ts';

type Forms = readonly [one: string, few: string, many: string];

const UNITS = ['', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'];
const FEMININE_UNITS = ['', 'одна', 'две', ...UNITS.slice(3)];
const TEENS = [
  'десять',
  'одиннадцать',
  'двенадцать',
  'тринадцать',
  'четырнадцать',
  'пятнадцать',
  'шестнадцать',
  'семнадцать',
  'восемнадцать',
  'девятнадцать',
];
const TENS = [
  '',
  '',
  'двадцать',
  'тридцать',
  'сорок',
  'пятьдесят',
  'шестьдесят',
  'семьдесят',
  'восемьдесят',
  'девяносто',
];
const HUNDREDS = [
  '',
  'сто',
  'двести',
  'триста',
  'четыреста',
  'пятьсот',
  'шестьсот',
  'семьсот',
  'восемьсот',
  'девятьсот',
];
const ROUBLES: Forms = ['рубль', 'рубля', 'рублей'];
const KOPECKS: Forms = ['копейка', 'копейки', 'копеек'];
/** The powers of a thousand; a thousand is feminine in Russian. */
const SCALES: readonly { forms: Forms; isFeminine: boolean }[] = [
  { forms: ROUBLES, isFeminine: false },
  { forms: ['тысяча', 'тысячи', 'тысяч'], isFeminine: true },
  { forms: ['миллион', 'миллиона', 'миллионов'], isFeminine: false },
  { forms: ['миллиард', 'миллиарда', 'миллиардов'], isFeminine: false },
  { forms: ['триллион', 'триллиона', 'триллионов'], isFeminine: false },
];

/** The form of a Russian noun after a number: `russianPlural(21n, ['рубль', 'рубля', 'рублей'])` is 'рубль'. */
function russianPlural(count: bigint, [one, few, many]: Forms): string {
  const hundred = count % 100n;
  if (hundred >= 11n && hundred <= 14n) return many;
  const unit = count % 10n;
  if (unit === 1n) return one;
  return unit >= 2n && unit <= 4n ? few : many;
}

/** A number below 1000. */
function threeDigits(number: number, isFeminine: boolean): string[] {
  const rest = number % 100;
  const units = isFeminine ? FEMININE_UNITS : UNITS;
  const below =
    rest >= 10 && rest < 20
      ? [TEENS[rest - 10]!]
      : [TENS[Math.floor(rest / 10)]!, units[rest % 10]!];
  return [HUNDREDS[Math.floor(number / 100)]!, ...below].filter(Boolean);
}

/**
 * An amount of roubles as Russian documents write it, rounded half up to kopecks:
 * `amountInWords(parseMoney('21001.05'))` is 'Двадцать одна тысяча один рубль 05 копеек'. Throws RangeError for a negative amount.
 */
export function amountInWords(amount: Money): string {
  if (amount < 0n) throw new RangeError('A negative amount has no words');
  const kopecks = toKopecks(amount);
  const [roubles, rest] = [kopecks / 100n, kopecks % 100n];
  const words: string[] = [];
  for (let power = SCALES.length - 1; power >= 0; power--) {
    const { forms, isFeminine } = SCALES[power]!;
    const group = (roubles / 1000n ** BigInt(power)) % 1000n;
    if (group > 0n) words.push(...threeDigits(Number(group), isFeminine));
    if (power > 0 && group > 0n) words.push(russianPlural(group, forms));
  }
  if (!words.length) words.push('ноль');
  words.push(russianPlural(roubles, ROUBLES));
  const text = words.join(' ');
  const small = `${rest.toString().padStart(2, '0')} ${russianPlural(rest, KOPECKS)}`;
  return `${text[0]!.toUpperCase()}${text.slice(1)} ${small}`;
}
