/** How long a new password must and may be. */
export interface PasswordLimits {
  min: number;
  max: number;
}

/** Of the specification, section 5; an installation may raise both ends, up to `MAX_PASSWORD_LENGTH`. */
export const PASSWORD_LIMITS: PasswordLimits = { min: 6, max: 18 };
export const MAX_PASSWORD_LENGTH = 128;

export type PasswordError = 'too_small' | 'too_big' | 'characters';

/**
 * The rule that a new password breaks, null when none: printable ASCII of a length within the limits. Whether it is among the
 * common ones only the server knows. `passwordError('пароль', PASSWORD_LIMITS)` is 'characters'.
 */
export function passwordError(
  password: string,
  { min, max }: PasswordLimits,
): PasswordError | null {
  if (password.length < min) return 'too_small';
  if (password.length > max) return 'too_big';
  return /^[\x20-\x7e]*$/.test(password) ? null : 'characters';
}
