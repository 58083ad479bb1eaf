import type { Metrics } from './metrics/metrics.ts';
import type { Process } from './signals.ts';

/** Socket errors of a disconnected peer. No application code was running. */
const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

/**
 * Counts and logs uncaught errors. After an unhandled rejection the process continues. An uncaught exception may have left
 * inconsistent state, so the process shuts down as on a signal and exits with 1, unless it is a lost connection.
 */
export function handleProcessErrors(
  { log, close, limitSeconds }: Pick<Process, 'log' | 'close' | 'limitSeconds'>,
  metrics: Metrics,
): void {
  process.on('unhandledRejection', (reason) => {
    metrics.uncaught('unhandledRejection');
    log.error({ err: reason }, 'unhandled rejection; the process continues');
  });
  process.on('uncaughtException', (error: unknown) => {
    metrics.uncaught('uncaughtException');
    if (isLostConnection(error))
      return log.error(
        { err: error },
        'connection lost without an error listener; the process continues',
      );
    log.error({ err: error }, 'uncaught exception; the process shuts down');
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
