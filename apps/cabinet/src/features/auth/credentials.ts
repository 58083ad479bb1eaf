// The contract's schemas say the same (a test compares them), but they would bring the whole schema library to the
// one page that should be there at once.
export const USERNAME = /^[A-Za-z0-9+\-.@_]{5,150}$/;
export const PASSWORD = /^[\x20-\x7e]{6,18}$/;

/** Where the browser keeps the name that signed in last; never a password. */
export const LAST_USERNAME = 'heliograph.username';

/** Worth asking the server about? */
export function isComplete(username: string, password: string): boolean {
  return USERNAME.test(username.trim()) && PASSWORD.test(password);
}

/** Only a path of this site is followed after signing in. */
export function safeTarget(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/';
}
