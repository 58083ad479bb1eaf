/** Below this many seconds the visitor is warned. */
export const WARN_SECONDS = 300;

export type SessionPhase = 'none' | 'active' | 'ending' | 'ended';

/** When the token ends, in milliseconds; null when it does not say, or is not a JWT. */
export function expiryOf(token: string): number | null {
  const body = token.split('.')[1];
  if (!body) return null;
  try {
    const json: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    const exp = (json as { exp?: unknown } | null)?.exp;
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
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
