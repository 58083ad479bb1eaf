/** Length limits of a new password, in characters. */
export interface PasswordLimits {
  min: number;
  max: number;
}

/** Default limits. Source: the specification, section 5. An installation can raise both, up to `MAX_PASSWORD_LENGTH`. */
export const PASSWORD_LIMITS: PasswordLimits = { min: 6, max: 18 };
export const MAX_PASSWORD_LENGTH = 128;

export type PasswordError = 'too_small' | 'too_big' | 'characters';

/**
 * The rule that a new password violates; null if it is valid: printable ASCII within the length limits. Common passwords are
 * checked by the server only. `passwordError('пароль', PASSWORD_LIMITS)` is 'characters'.
 */
export function passwordError(
  password: string,
  { min, max }: PasswordLimits,
): PasswordError | null {
  if (password.length < min) return 'too_small';
  if (password.length > max) return 'too_big';
  return /^[\x20-\x7e]*$/.test(password) ? null : 'characters';
}
