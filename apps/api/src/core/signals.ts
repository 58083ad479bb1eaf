import type { INestApplicationContext } from '@nestjs/common';
import type { Log } from './log.ts';
import { Shutdown } from './shutdown.ts';

/** A terminal and a parent process may both pass on one Ctrl-C. */
const SAME_SIGNAL_MS = 1000;
/** For what comes after the requests and the batches: the last events, connections. */
export const CLOSING_SECONDS = 5;

export interface Process {
  log: Log;
  /** In good order: what is under way may end. */
  close: () => Promise<void>;
  /** After this the process ends with what is unfinished. */
  limitSeconds: number;
}

/** Ends what is under way and refuses what is new, then lets go of the database. */
export function closing(
  app: INestApplicationContext,
  dataSource: { destroy(): Promise<void> },
): () => Promise<void> {
  return async () => {
    app.get(Shutdown).begin(true);
    await app.close();
    await dataSource.destroy();
  };
}

/** SIGTERM and SIGINT end a process in good order with code 0; a second one ends it at once with code 1. */
export function stopOnSignals({ log, close, limitSeconds }: Process): void {
  let since: number | undefined;
  const stop = async (signal: string) => {
    if (since !== undefined) {
      if (Date.now() - since < SAME_SIGNAL_MS) return;
      log.warn({ signal }, 'second signal: the process ends at once');
      process.exit(1);
    }
    since = Date.now();
    log.info({ signal }, 'the process stops');
    setTimeout(() => {
      log.error({ limitSeconds }, 'the process did not stop in time and ends as it is');
      process.exit(1);
    }, limitSeconds * 1000).unref();
    try {
      await close();
      log.info({ ms: Date.now() - since }, 'the process has stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'the process could not stop in good order');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, (name: string) => void stop(name));
}
