import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the current one that are accepted, for clocks that differ. */
const WINDOW = 1;

const totpOf = (secret: string, more: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({
    ...more,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URL that authenticator apps read from a QR code. */
export const totpUrl = (secret: string, issuer: string, label: string): string =>
  totpOf(secret, { issuer, label }).toString();

/** The time step of a code; null if it is the code of none that is accepted now. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** `483920`, `483 920`. */
export function totpCodeOf(code: string): string | null {
  const digits = code.replaceAll(/[\s-]/g, '');
  return digits.length === DIGITS && /^\d+$/.test(digits) ? digits : null;
}
