import { PASSWORD_LIMITS, passwordError, type PasswordLimits } from '@heliograph/domain';

/** 0 to 4, by length and kinds of characters; repeated characters count half. 0: not allowed as a password. */
export function passwordStrength(
  password: string,
  limits: PasswordLimits = PASSWORD_LIMITS,
): number {
  if (passwordError(password, limits)) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/];
  const sizes = [26, 26, 10, 33];
  const pool = kinds.reduce((sum, kind, i) => sum + (kind.test(password) ? sizes[i]! : 0), 0);
  const different = new Set(password).size;
  const bits = (different + (password.length - different) / 2) * Math.log2(pool);
  return [32, 48, 72].reduce((level, least) => level + Number(bits >= least), 1);
}
