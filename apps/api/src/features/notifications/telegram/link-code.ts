import { createHash, randomInt } from 'node:crypto';

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 16;

/** A one-time code of 80 bits. */
export const newLinkCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** The code in a message: alone, or after `/start`. Null if there is none. */
export function codeIn(text: string): string | null {
  const word = text
    .trim()
    .replace(/^\/start(?:@\w{1,64})?\s+/i, '')
    .toUpperCase();
  return /^[0-9A-Z]{8,64}$/.test(word) ? word : null;
}

export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest();
