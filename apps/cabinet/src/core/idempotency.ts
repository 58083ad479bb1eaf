import { ApiError } from '@heliograph/contract';

/**
 * 128 random bits. `crypto.randomUUID` exists on secure origins only; a cabinet in a local network may be served without
 * TLS.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** The server ends a call that was interrupted within a minute. */
const MAX_WAITS = 60;
const WAIT_MS = 1000;
/** Of calls without an answer. */
const MAX_OPEN = 100;

const isRunning = (error: unknown) =>
  error instanceof ApiError && error.code === 'idempotency_running';
/** Whether the call may have had its effect all the same. */
const isUnknown = (error: unknown) =>
  !(error instanceof ApiError) || error.status >= 500 || isRunning(error);

const second = () => new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS));

/**
 * Calls with an idempotency key. The same call while it runs is the one that runs; after a lost answer, it has the key of the first, so
 * that a retry or a second press has no second effect. With its answer the intent ends: the same call is a new one then.
 */
export function createIntents(make: () => string = randomKey, wait: () => Promise<void> = second) {
  const running = new Map<string, Promise<unknown>>();
  const keys = new Map<string, string>();

  async function answered<R>(send: () => Promise<R>): Promise<R> {
    for (let waits = 0; ; waits++) {
      try {
        return await send();
      } catch (error) {
        // The first call is still at work, whose answer was lost.
        if (!isRunning(error) || waits === MAX_WAITS) throw error;
        await wait();
      }
    }
  }

  async function run<R>(intent: string, send: (key: string) => Promise<R>): Promise<R> {
    const key = keys.get(intent) ?? make();
    keys.delete(intent);
    try {
      return await answered(() => send(key));
    } catch (error) {
      if (isUnknown(error)) keys.set(intent, key);
      if (keys.size > MAX_OPEN) keys.delete(keys.keys().next().value!);
      throw error;
    }
  }

  return function once<R>(intent: string, send: (key: string) => Promise<R>): Promise<R> {
    const now = running.get(intent) as Promise<R> | undefined;
    if (now) return now;
    const started = run(intent, send).finally(() => running.delete(intent));
    running.set(intent, started);
    return started;
  };
}
