import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf, networkOf } from './visitor.ts';

/** Requests of one caller that are begun in one turn of the event loop. */
const PER_TURN = 8;

/**
 * Lets callers take turns: of the requests that one session, token or network sends at once, a few are begun in each turn of the
 * event loop, so that those of others are read and answered in between. Nothing is refused, and the order of a caller's requests stays.
 */
export function fairTurns(trustedProxies: number): RequestHandler {
  /** How many requests of a caller were begun in this turn, and those that wait for the next ones. */
  const callers = new Map<string, { begun: number; waiting: (() => void)[] }>();
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    isScheduled = false;
    for (const [key, caller] of callers) {
      const next = caller.waiting.splice(0, PER_TURN);
      if (next.length === 0) callers.delete(key);
      else caller.begun = next.length;
      for (const begin of next) begin();
    }
    if (callers.size) schedule();
  };

  return (request: Request, response: Response, next: NextFunction) => {
    const key = request.headers.authorization ?? networkOf(addressOf(request, trustedProxies));
    const caller = callers.get(key) ?? { begun: 0, waiting: [] };
    callers.set(key, caller);
    schedule();
    if (caller.begun < PER_TURN && caller.waiting.length === 0) {
      caller.begun++;
      next();
    } else
      caller.waiting.push(() => {
        // The client may have gone meanwhile.
        if (!response.destroyed) next();
      });
  };
}
