import { ERRORS, type ErrorCode, type FieldIssue } from '@heliograph/contract';

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Sign in again',
  wrong_credentials: 'The username or the password is wrong',
  session_ended: 'The session has ended, sign in again',
  borrowed_session: 'You are signed in as another user. Return to your own account to do this.',
  phone_not_confirmed: 'Confirm the phone number of the account first',
  forbidden: 'Access denied. You do not have permission to perform this action.',
  not_found: 'Not found',
  conflict: 'Somebody else changed it in the meantime, or its state does not allow this',
  insufficient_funds: 'The balance does not cover this sending',
  no_price: 'The tariff has no price for this sending',
  validation: 'Some fields are not valid',
  internal: 'Something went wrong on our side',
  mail_off: 'This installation sends no e-mail. Ask its administrator.',
  unavailable: 'The service is not available right now, try again later',
  quota_exceeded: 'The account keeps as much of this as it may: remove some of it first',
  rate_limited: 'Too many attempts, try again later',
  headers_too_large: 'The address or the headers are too large: ask for fewer ids at a time',
};

/** Every refusal. The code says which; one filter turns it into the answer. */
export class AppError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly detail: {
      issues?: FieldIssue[];
      payload?: Record<string, unknown>;
      headers?: Record<string, string>;
      /** For the audit log alone: whose the thing is that was asked for by name. */
      foreignAccount?: string;
      /** For the log alone. */
      cause?: string;
    } = {},
  ) {
    super(message ?? MESSAGES[code] ?? code, { cause: detail.cause });
    this.name = 'AppError';
    this.status = ERRORS[code];
  }
}

export const notFound = () => new AppError('not_found');

/** Refuses ids in a body that were not found within reach, by their names: `assertFound('File', ids, files)`. */
export function assertFound(what: string, ids: Iterable<string>, found: { id: string }[]): void {
  const known = new Set(found.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !known.has(id.toLowerCase())).slice(0, 10);
  if (!missing.length) return;
  throw new AppError('not_found', `${what} not found: ${missing.join(', ')}`, {
    payload: { ids: missing },
  });
}

/** A refusal of one field, as validation would say it. */
export function invalid(field: string, rule: string, message: string): AppError {
  return new AppError('validation', message, { issues: [{ field, rule, message }] });
}
