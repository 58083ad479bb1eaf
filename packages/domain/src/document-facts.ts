import type { DocumentType, TemplateBlock, TemplateValues } from './document-templates.ts';
import { amountInWords } from './amount-in-words.ts';
import { parseMoney } from './money.ts';

/** What a document shows of one side. Unknown values are empty. */
export interface PartyFacts {
  name: string;
  inn: string;
  kpp: string;
  ogrn: string;
  address: string;
  phone: string;
  email: string;
  bankName: string;
  bik: string;
  account: string;
  correspondentAccount: string;
  signerName: string;
  signerNameGenitive: string;
  signerPosition: string;
  signerPositionGenitive: string;
  signerBasis: string;
  signerBasisGenitive: string;
}

/** The sum of an invoice or act, as decimal numbers of roubles with two decimals. */
export interface DocumentSum {
  service: string;
  amount: string;
  /** In percent; null without VAT. */
  vatRate: number | null;
  vatAmount: string;
}

/** Everything that a document shows: stored when it is issued, so that it can be made again and is the same. */
export interface DocumentFacts {
  type: DocumentType;
  number: string;
  /** The calendar day, `2026-11-22`. */
  day: string;
  username: string;
  blocks: TemplateBlock[];
  seller: PartyFacts & { accountant: string };
  buyer: PartyFacts;
  sum: DocumentSum | null;
  /** Of an invoice. */
  valid: { until: string; days: number } | null;
  /** The first day of the month of an act. */
  period: string | null;
}

const MONTHS = 'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь';
const MONTHS_GENITIVE =
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря';
const month = (day: string, names: string): string =>
  names.split(' ')[Number(day.slice(5, 7)) - 1]!;

/** `shortDay('2026-11-02')` is '02.11.2026'. */
export const shortDay = (day: string): string => day.split('-').reverse().join('.');

/** `dayInWords('2026-11-02')` is '2 ноября 2026 г.'. */
export const dayInWords = (day: string): string =>
  `${Number(day.slice(8))} ${month(day, MONTHS_GENITIVE)} ${day.slice(0, 4)} г.`;

/** `monthInWords('2026-11-01')` is 'ноябрь 2026 г.'. */
export const monthInWords = (day: string): string => `${month(day, MONTHS)} ${day.slice(0, 4)} г.`;

const NO_BREAK_SPACE = '\u00A0';

/** Two decimals and groups of thousands: `printedAmount('1234.5')` is '1 234,50' with no-break spaces. */
export function printedAmount(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3)
    groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${groups.join(NO_BREAK_SPACE)},${decimals.padEnd(2, '0').slice(0, 2)}`;
}

/** The values of the variables of a template. */
export function documentValues(facts: DocumentFacts): TemplateValues {
  const { sum, valid, period } = facts;
  const party = (name: 'seller' | 'buyer') =>
    Object.entries(facts[name]).map(([key, value]) => [`${name}.${key}`, value as string]);
  return {
    number: facts.number,
    date: shortDay(facts.day),
    dateInWords: dayInWords(facts.day),
    username: facts.username,
    ...(Object.fromEntries([...party('seller'), ...party('buyer')]) as TemplateValues),
    ...(sum && {
      service: sum.service,
      amount: printedAmount(sum.amount),
      amountInWords: amountInWords(parseMoney(sum.amount)),
      ...(sum.vatRate !== null && {
        vatRate: String(sum.vatRate),
        vatAmount: printedAmount(sum.vatAmount),
      }),
    }),
    ...(valid && { validUntil: shortDay(valid.until), validDays: String(valid.days) }),
    ...(period && { period: monthInWords(period) }),
  };
}

/** The purpose of a payment, by which it is found: number and day first, then the VAT. */
export function paymentPurpose({ number, day, sum }: DocumentFacts): string {
  const vat =
    sum && sum.vatRate !== null ? `В т.ч. НДС ${sum.vatRate}% ${sum.vatAmount}` : 'Без НДС';
  return `Оплата по счёту ${number} от ${shortDay(day)}. ${vat}`;
}
