import type { INestApplicationContext } from '@nestjs/common';
import type { Log } from './log.ts';
import { Shutdown } from './shutdown.ts';

/** A terminal and a parent process may both send SIGINT for one Ctrl-C. */
const SAME_SIGNAL_MS = 1000;
/** Time for closing connections after requests and batches have finished. */
export const CLOSING_SECONDS = 5;

export interface Process {
  log: Log;
  /** Graceful: running work may finish. */
  close: () => Promise<void>;
  /** After this time the process exits with unfinished work. */
  limitSeconds: number;
}

/** The `close` of a process: finishes running work, then disconnects from the database. */
export function createClose(
  app: INestApplicationContext,
  dataSource: { destroy(): Promise<void> },
  time: { stop(): void },
): () => Promise<void> {
  return async () => {
    app.get(Shutdown).begin(true);
    time.stop();
    await app.close();
    await dataSource.destroy();
  };
}

/** SIGTERM and SIGINT shut the process down gracefully with code 0; a second signal exits immediately with code 1. */
export function stopOnSignals({ log, close, limitSeconds }: Process): void {
  let since: number | undefined;
  const stop = async (signal: string) => {
    if (since !== undefined) {
      if (Date.now() - since < SAME_SIGNAL_MS) return;
      log.warn({ signal }, 'second signal; exiting immediately');
      process.exit(1);
    }
    since = Date.now();
    log.info({ signal }, 'shutting down');
    setTimeout(() => {
      log.error({ limitSeconds }, 'shutdown timed out; exiting');
      process.exit(1);
    }, limitSeconds * 1000).unref();
    try {
      await close();
      log.info({ ms: Date.now() - since }, 'shutdown complete');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, (name: string) => void stop(name));
}
