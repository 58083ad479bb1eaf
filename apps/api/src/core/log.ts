import type { LoggerService } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';

/** Ids that every line of a request or a job carries. */
export const logContext = new AsyncLocalStorage<Record<string, unknown>>();

/** Everything that `work` logs carries these ids as well. */
export function withIds<T>(ids: Record<string, unknown>, work: () => T): T {
  return logContext.run({ ...logContext.getStore(), ...ids }, work);
}

const SECRETS = [
  'password',
  'token',
  'authorization',
  'cookie',
  'secret',
  'oldPassword',
  'newPassword',
];

/** Nest injects it by this class; the instance is pino's. */
export abstract class Log {
  abstract info: Logger['info'];
  abstract warn: Logger['warn'];
  abstract error: Logger['error'];
  abstract debug: Logger['debug'];
}

export function createLog(level: string, name: string, to?: DestinationStream): Log {
  const options = {
    name,
    level,
    redact: { paths: SECRETS.flatMap((k) => [k, `*.${k}`, `*.*.${k}`]), censor: '[redacted]' },
    mixin: () => ({ ...logContext.getStore() }),
  };
  return to ? pino(options, to) : pino(options);
}

/** What opens something stays out of logs: `?token=`, and the key of `/recover/:key`. */
export function redactUrl(url: string): string {
  return url
    .replace(/([?&]token=)[^&]*/g, '$1[redacted]')
    .replace(/(\/recover\/)[^/?#]+/g, '$1[redacted]');
}

/** Nest's own lines in the same log; what it tells of routes and modules at start is for debugging. */
export function nestLog(log: Log): LoggerService {
  const line =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) => {
      log[level]({ context: rest.at(-1), detail: rest.slice(0, -1) }, String(message));
    };
  return {
    log: line('debug'),
    debug: line('debug'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('error'),
  };
}
