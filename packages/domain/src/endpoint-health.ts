import { WEBHOOK_BROKEN_AFTER, webhookBackoff } from './webhooks.ts';

/** What the calls to an endpoint of a webhook tell of it. */
export interface EndpointHealth {
  /** Failures in a row. */
  failures: number;
  failingSince: Date | null;
  succeededAt: Date | null;
  /** No calls until then, because it is broken. */
  blockedUntil: Date | null;
  /** No calls until then, because it asked for a pause. */
  throttledUntil: Date | null;
  /** It has answered 410. */
  isGone: boolean;
}

/** The result of a call; `retryAfterMs` is what the endpoint asked for. */
export interface EndpointAnswer {
  error: string | null;
  status: number | null;
  retryAfterMs: number | null;
}

/** Why a webhook ends its own deliveries: a 410, or nothing but failures for long. */
export type EndpointEnding = 'failing' | 'gone';

const GONE = 410;
/** Statuses of which a `Retry-After` holds all calls back. */
const THROTTLING: readonly (number | null)[] = [429, 502, 503, 504];

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

export const isEndpointGone = ({ status }: Pick<EndpointAnswer, 'status'>): boolean =>
  status === GONE;

/** As it was before a run of calls. */
export function endpointHealth(
  stored: Pick<EndpointHealth, 'failures' | 'failingSince'>,
): EndpointHealth {
  const { failures, failingSince } = stored;
  const unknown = { succeededAt: null, blockedUntil: null, throttledUntil: null, isGone: false };
  return { failures, failingSince, ...unknown };
}

/** After another call. `random` is from 0 to 1. */
export function afterEndpointCall(
  health: EndpointHealth,
  answer: EndpointAnswer,
  now: Date,
  random = Math.random(),
): EndpointHealth {
  if (!answer.error)
    return { ...health, failures: 0, failingSince: null, blockedUntil: null, succeededAt: now };
  const { status, retryAfterMs } = answer;
  const failures = health.failures + 1;
  const isThrottled = retryAfterMs !== null && THROTTLING.includes(status);
  return {
    ...health,
    failures,
    failingSince: health.failingSince ?? now,
    isGone: health.isGone || isEndpointGone(answer),
    ...(isThrottled && { throttledUntil: after(now, Math.max(retryAfterMs / 1000, 1)) }),
    ...(failures >= WEBHOOK_BROKEN_AFTER && {
      blockedUntil: after(now, webhookBackoff(failures, random)),
    }),
  };
}

/** A broken endpoint gets single calls only. */
export const isEndpointBroken = ({ failures }: Pick<EndpointHealth, 'failures'>): boolean =>
  failures >= WEBHOOK_BROKEN_AFTER;

/** Whether calls may go on at once. */
export const isEndpointServable = (health: EndpointHealth): boolean =>
  !isEndpointBroken(health) && !health.isGone && !endpointPausedUntil(health);

/** Until when no call is made, for either reason. */
export function endpointPausedUntil({ blockedUntil, throttledUntil }: EndpointHealth): Date | null {
  if (!blockedUntil || !throttledUntil) return blockedUntil ?? throttledUntil;
  return blockedUntil > throttledUntil ? blockedUntil : throttledUntil;
}

/** Whether the webhook ends its deliveries; `patience` is in seconds of nothing but failures. */
export function endpointEnding(
  health: EndpointHealth,
  now: Date,
  patience: number,
): EndpointEnding | null {
  if (health.isGone) return 'gone';
  const { failingSince } = health;
  if (!isEndpointBroken(health) || !failingSince) return null;
  return now >= after(failingSince, patience) ? 'failing' : null;
}
