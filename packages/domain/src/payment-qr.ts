import type { Money } from './money.ts';
import { toKopecks } from './vat.ts';

/** What a bank needs to fill a payment order. */
export interface PaymentQr {
  /** The payee. */
  name: string;
  /** The payee's account, 20 digits. */
  account: string;
  bankName: string;
  bik: string;
  correspondentAccount: string;
  amount: Money;
  inn: string;
  kpp: string | null;
  purpose: string;
}

/** Bytes of UTF-8 that scanners of banks read from a printed code of level M. */
export const MAX_QR_BYTES = 300;
/** Lengths of GOST R 56042-2014, in characters. */
const MAX_LENGTHS = { Name: 160, BankName: 45, Purpose: 210 } as const;
/** In which order texts are shortened to fit, and the bytes that remain of each. The BIK names the bank anyway. */
const SHORTENED = [
  ['BankName', 24],
  ['Name', 48],
  ['Purpose', 72],
  ['Name', 24],
  ['BankName', 8],
] as const;

/** The length in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * The separator of the fields cannot be escaped: a value that contains it would add fields, such as another sum. It is replaced, and so are
 * line breaks and other control characters.
 */
function neutralized(value: string): string {
  return value
    .replace(/\|/g, '/')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The beginning of a text in at most that many bytes, without half a character. */
function withinBytes(text: string, bytes: number): string {
  let out = '';
  let length = 0;
  for (const character of text) {
    length += bytesOf(character);
    if (length > bytes) break;
    out += character;
  }
  return out.trimEnd();
}

/** The beginning of a text in at most that many characters. */
const withinCharacters = (text: string, max: number): string => [...text].slice(0, max).join('');

/** Digits, and the letters that a KPP may have. */
const codeOf = (value: string): string => value.replace(/[^\dA-Z]/g, '');

/**
 * The text of a payment code by GOST R 56042-2014 in UTF-8, at most `MAX_QR_BYTES` long: long texts are shortened.
 * It begins with `ST00012|Name=`; the sum is in kopecks.
 */
export function paymentQr(payment: PaymentQr): string {
  const texts: Record<keyof typeof MAX_LENGTHS, string> = {
    Name: withinCharacters(neutralized(payment.name), MAX_LENGTHS.Name),
    BankName: withinCharacters(neutralized(payment.bankName), MAX_LENGTHS.BankName),
    Purpose: withinCharacters(neutralized(payment.purpose), MAX_LENGTHS.Purpose),
  };
  const written = (): string => {
    const fields: [string, string][] = [
      ['Name', texts.Name],
      ['PersonalAcc', codeOf(payment.account)],
      ['BankName', texts.BankName],
      ['BIC', codeOf(payment.bik)],
      ['CorrespAcc', codeOf(payment.correspondentAccount)],
      ['Sum', toKopecks(payment.amount).toString()],
      ['PayeeINN', codeOf(payment.inn)],
      ...(payment.kpp ? [['KPP', codeOf(payment.kpp)] as [string, string]] : []),
      ['Purpose', texts.Purpose],
    ];
    return ['ST00012', ...fields.map(([name, value]) => `${name}=${value}`)].join('|');
  };
  for (const [name, least] of SHORTENED) {
    const excess = bytesOf(written()) - MAX_QR_BYTES;
    if (excess <= 0) break;
    const room = Math.max(least, bytesOf(texts[name]) - excess);
    texts[name] = withinBytes(texts[name], room);
  }
  return written();
}
