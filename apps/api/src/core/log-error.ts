import { withoutTokens } from './secrets.ts';

/** The logged fields of an error: its origin, but none of the data that it concerns. */
export interface LoggedError {
  name: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  table?: string;
  severity?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MAX_DEPTH = 4;
const MAX_ERRORS = 5;
const MAX_MESSAGE = 500;

/**
 * Copies only known fields of an error, since drivers attach the statement, its parameters and the refused row. TypeORM
 * wraps the original error as `driverError`.
 */
export function loggedError(thrown: unknown, outer: readonly unknown[] = []): LoggedError {
  if (typeof thrown !== 'object' || thrown === null)
    return { name: typeof thrown, message: withoutData(String(thrown)) };
  const error = thrown as Record<string, unknown>;
  const { driverError, cause, errors } = error;
  const logged: LoggedError = {
    name: text(error.name) ?? 'Error',
    message: withoutData(text(error.message) ?? '', isOfData(error)),
  };
  const stack = frames(text(error.stack));
  if (stack) logged.stack = stack;
  for (const field of ['code', 'constraint', 'table', 'severity'] as const) {
    const value = error[field];
    if (typeof value === 'string' || typeof value === 'number')
      logged[field] = withoutData(String(value));
  }
  const chain = [...outer, thrown];
  const isNew = (inner: unknown) =>
    inner !== undefined && inner !== null && chain.length <= MAX_DEPTH && !chain.includes(inner);
  const inner = cause ?? driverError;
  if (isNew(inner)) logged.cause = loggedError(inner, chain);
  if (Array.isArray(errors))
    logged.errors = errors
      .slice(0, MAX_ERRORS)
      .filter(isNew)
      .map((each) => loggedError(each, chain));
  return logged;
}

const MAX_SHORT = 200;

/** What happened, in one line that administrators may hand on. */
export function shortError(thrown: unknown): string {
  const { name, message, code, table, constraint } = loggedError(thrown);
  const origin = [code, table, constraint].filter(Boolean).join(', ');
  const shown = origin && ` (${origin})`;
  return `${(message || name).slice(0, MAX_SHORT - shown.length)}${shown}`.slice(0, MAX_SHORT);
}

/** The same as text for a terminal. */
export function failureText(thrown: unknown): string {
  const { name, message, stack, cause, errors, ...fields } = loggedError(thrown);
  const facts = Object.entries(fields).map(([field, value]) => `${field} ${value}`);
  const inner = [cause, ...(errors ?? [])].flatMap((e) => (e ? [`Cause: ${failureText(e)}`] : []));
  return [`${name}: ${message}`, facts.join(', '), stack, ...inner].filter(Boolean).join('\n');
}

/** Errors of the database and of JSON.parse, whose messages quote data. */
const isOfData = (error: Record<string, unknown>): boolean =>
  'severity' in error || 'driverError' in error || error.name === 'SyntaxError';

/** Removes e-mail addresses, long numbers and, if `quotesData`, quoted data from a message. */
export function withoutData(message: string, quotesData = false): string {
  const short = withoutTokens(message.slice(0, MAX_MESSAGE));
  const unquoted = quotesData ? short.replace(/"[\s\S]*/, '"…').replace(/\n[\s\S]*/, '') : short;
  return unquoted
    .split(/(\s+)/)
    .map((word) => (/[\w.+-]@/.test(word) ? '[address]' : word.replace(/\+?\d{7,}/g, '[number]')))
    .join('');
}

/** The frames of a stack without its first lines, which repeat the message. */
function frames(stack: string | undefined): string | undefined {
  return stack
    ?.split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
