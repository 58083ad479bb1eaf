import { PASSWORD_LIMITS, passwordError, type PasswordLimits } from '@heliograph/domain';

// The contract's schemas say the same (a test compares them), but they would bring the whole schema library to the
// one page that should be there at once.
export const USERNAME = /^[A-Za-z0-9+\-.@_]{5,150}$/;
/** Any password that some installation takes; what this one asks of a new one is `frontend.password`. */
const PASSWORD = /^[\x20-\x7e]{6,128}$/;

/** Where the browser keeps the name that signed in last; never a password. */
export const LAST_USERNAME = 'heliograph.username';

/** Why the server is not asked yet; null when it may be. */
export function missingOf(
  username: string,
  password: string,
): 'missing' | 'username' | 'password' | null {
  const name = username.trim();
  if (name && !USERNAME.test(name)) return 'username';
  if (password && !PASSWORD.test(password)) return 'password';
  return name && password ? null : 'missing';
}

export type PasswordProblem = 'required' | 'invalid' | 'mismatch' | 'common';

/** What is wrong with a new password that is typed twice. */
export function passwordProblem(
  field: 'password' | 'confirm',
  form: { password: string; confirm: string },
  limits: PasswordLimits = PASSWORD_LIMITS,
): PasswordProblem | null {
  if (!form[field]) return 'required';
  if (field === 'confirm') return form.confirm === form.password ? null : 'mismatch';
  return passwordError(form.password, limits) ? 'invalid' : null;
}
