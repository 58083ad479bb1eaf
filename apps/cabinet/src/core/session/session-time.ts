/** Below this many seconds the visitor is warned. */
export const WARN_SECONDS = 300;

export type SessionPhase = 'none' | 'active' | 'ending' | 'ended';

/** The claims of a JWT; empty when the text is not a JWT. */
function bodyOf(token: string): { exp?: unknown; iat?: unknown; sub?: unknown } {
  try {
    const body = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(body)) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** When the token expires, in milliseconds; null without an expiry, or when it is not a JWT. */
export function expiryOf(token: string): number | null {
  const { exp } = bodyOf(token);
  return typeof exp === 'number' ? exp * 1000 : null;
}

/** A clock that differs by less is not told from an answer that took long. */
const MIN_CLOCK_ERROR_MS = 60_000;

/** How far the clock of the device is ahead of the server's, by a token that has just arrived; null if that is not known. */
export function clockErrorOf(token: string, now: number): number | null {
  const { iat } = bodyOf(token);
  if (typeof iat !== 'number') return null;
  const ahead = now - iat * 1000;
  return Math.abs(ahead) < MIN_CLOCK_ERROR_MS ? 0 : ahead;
}

/** The id of the user whose token it is; null when the token does not say it. */
export function personOf(token: string | null): string | null {
  const { sub } = token ? bodyOf(token) : {};
  return typeof sub === 'string' ? sub : null;
}

/** True when both tokens have the same subject; false when one has none. */
export function isSamePerson(one: string | null, other: string | null): boolean {
  const person = personOf(one);
  return person !== null && person === personOf(other);
}

export function secondsLeft(token: string, now: number): number {
  const end = expiryOf(token);
  return end === null ? Infinity : Math.floor((end - now) / 1000);
}

/** A token without a readable end is left to the server's judgement. */
export function phaseOf(token: string | null, now: number): SessionPhase {
  if (!token) return 'none';
  const left = secondsLeft(token, now);
  if (left <= 0) return 'ended';
  return left < WARN_SECONDS ? 'ending' : 'active';
}
