/** Below this many seconds the visitor is warned. */
export const WARN_SECONDS = 300;

export type SessionPhase = 'none' | 'active' | 'ending' | 'ended';

/** What a JWT says of itself; nothing when it is none. */
function bodyOf(token: string): { exp?: unknown; sub?: unknown } {
  try {
    const body = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(body)) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** When the token ends, in milliseconds; null when it does not say, or is not a JWT. */
export function expiryOf(token: string): number | null {
  const { exp } = bodyOf(token);
  return typeof exp === 'number' ? exp * 1000 : null;
}

/** Do both tokens name the same person? Not when one names nobody. */
export function isSamePerson(one: string | null, other: string | null): boolean {
  const [a, b] = [one, other].map((token) => token && bodyOf(token).sub);
  return typeof a === 'string' && a === b;
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
