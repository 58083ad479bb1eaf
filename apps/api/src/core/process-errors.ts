import type { Metrics } from './metrics/metrics.ts';
import type { Process } from './signals.ts';

/** A peer that is gone, told by a connection that had no error listener: nothing of ours was running. */
const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

/**
 * What no handler took, counted and logged. A rejected promise ends one piece of work: the process goes on. An uncaught
 * exception may have left state half changed: the process closes as on a signal, in the same time, and exits with 1, to be
 * started again, unless it is a lost connection.
 */
export function handleProcessErrors(
  { log, close, limitSeconds }: Pick<Process, 'log' | 'close' | 'limitSeconds'>,
  metrics: Metrics,
): void {
  process.on('unhandledRejection', (reason) => {
    metrics.uncaught('unhandledRejection');
    log.error({ err: reason }, 'unhandled rejection; the process goes on');
  });
  process.on('uncaughtException', (error: unknown) => {
    metrics.uncaught('uncaughtException');
    if (isLostConnection(error))
      return log.error(
        { err: error },
        'a lost connection had no error listener; the process goes on',
      );
    log.error({ err: error }, 'uncaught exception; the process closes and exits');
    setTimeout(() => process.exit(1), limitSeconds * 1000).unref();
    close().then(
      () => process.exit(1),
      () => process.exit(1),
    );
  });
}

function isLostConnection(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return LOST_CONNECTION.has(code ?? '') && (syscall === 'read' || syscall === 'write');
}
