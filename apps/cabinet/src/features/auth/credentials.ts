// The same as the contract's schemas, as a test checks. Those would add zod to the first page that a visitor loads.
export const USERNAME = /^[A-Za-z0-9+\-.@_]{5,150}$/;
/** The longest limits of any installation; those of this one for new passwords are in `frontend.password`. */
const PASSWORD = /^[\x20-\x7e]{6,128}$/;

/** The storage key of the username that signed in last; passwords are never stored. */
export const LAST_USERNAME = 'heliograph.username';

/** Why the form cannot be submitted yet; null when it can. */
export function incompleteReason(
  username: string,
  password: string,
): 'missing' | 'username' | 'password' | null {
  const name = username.trim();
  if (name && !USERNAME.test(name)) return 'username';
  if (password && !PASSWORD.test(password)) return 'password';
  return name && password ? null : 'missing';
}
