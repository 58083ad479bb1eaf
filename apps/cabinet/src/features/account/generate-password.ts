import type { PasswordLimits } from '@heliograph/domain';

/** Source: the specification, section 5. */
const LENGTH = 8;
/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Bytes from here on would make some characters more likely than others. */
const FAIR = 256 - (256 % ALPHABET.length);

/** A random password of 8 characters, or of what the installation demands at least. */
export function generatePassword({ min, max }: PasswordLimits): string {
  const length = Math.min(Math.max(LENGTH, min), max);
  let password = '';
  while (password.length < length) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte! < FAIR) password += ALPHABET[byte! % ALPHABET.length];
  }
  return password;
}
