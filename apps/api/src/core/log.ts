import type { LoggerService } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pino, type DestinationStream, type Logger } from 'pino';
import { loggedError, withoutData } from './log-error.ts';
import { withoutSecrets, withoutTokens } from './secrets.ts';

/** Ids that are added to every log line of a request or job. */
export const logContext = new AsyncLocalStorage<Record<string, unknown>>();

/** Adds ids to the log lines of `work`. */
export function withIds<T>(ids: Record<string, unknown>, work: () => T): T {
  return logContext.run({ ...logContext.getStore(), ...ids }, work);
}

/** Nest injects it by this class; the instance is pino's. */
export abstract class Log {
  abstract info: Logger['info'];
  abstract warn: Logger['warn'];
  abstract error: Logger['error'];
  abstract debug: Logger['debug'];
}

const MAX_TEXT = 10_000;

export function createLog(level: string, name: string, to?: DestinationStream): Log {
  const options = {
    name,
    level,
    mixin: () => ({ ...logContext.getStore() }),
    hooks: { logMethod: withMessage },
    formatters: {
      log: (line: object) =>
        withoutSecrets(line, MAX_TEXT, (error) => loggedError(error)) as Record<string, unknown>,
    },
    // The formatter has already converted errors.
    serializers: {
      err: (value: unknown) => (typeof value === 'string' ? withoutData(value) : value),
    },
  };
  return to ? pino(options, to) : pino(options);
}

/**
 * pino would use the unredacted error message as the message of a line that has none. Messages do not pass the formatter, so
 * API tokens are removed here.
 */
function withMessage(this: Logger, given: unknown[], method: (...args: unknown[]) => void): void {
  const args = given.map((arg) => (typeof arg === 'string' ? withoutTokens(arg) : arg));
  const [first] = args;
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
  if (args.length > 1 || !(error instanceof Error)) return method.apply(this, args);
  method.apply(this, [first instanceof Error ? { err: first } : first, loggedError(error).message]);
}

/** Query parameters that contain no personal data. */
const PLAIN_QUERY = new Set(['$limit', '$offset', '$scope']);

/** A URL without query values, and without keys and personal data in its path. */
export function redactUrl(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const plain = path
    .split('/')
    .map((part) => (isKey(part) ? '[redacted]' : part))
    .join('/')
    .replace(/(\/(?:recover|confirm)\/)[^/]+/g, '$1[redacted]');
  if (query === undefined) return plain;
  const names = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return PLAIN_QUERY.has(decode(name)) || !pair.includes('=') ? pair : `${name}=[redacted]`;
  });
  return `${plain}?${names.join('&')}`;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A key, an e-mail or a phone number; ids of rows are kept. */
const isKey = (part: string): boolean =>
  !ID.test(part) && (part.length >= 24 || part.includes('@') || /\d{7}/.test(part));

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Writes Nest's log to pino. Its `log` level becomes debug. */
export function nestLog(log: Log): LoggerService {
  const line =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.at(-1);
      if (message instanceof Error)
        return log[level]({ context, err: message }, loggedError(message).message);
      // The stack that Nest passes begins with the error message.
      const at = rest.slice(0, -1).map((part) => loggedError({ name: 'stack', stack: part }).stack);
      log[level]({ context, at: at.filter(Boolean) }, withoutData(String(message)));
    };
  return {
    log: line('debug'),
    debug: line('debug'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('error'),
  };
}
