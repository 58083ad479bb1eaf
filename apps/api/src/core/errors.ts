import { ERRORS, type ErrorCode, type FieldIssue } from '@heliograph/contract';

/** The message of each code where a refusal has none of its own; sent as a sentence (`sentence`). */
const MESSAGES: Record<ErrorCode, string> = {
  bad_request: 'The request cannot be understood',
  malformed_json: 'The body is not valid JSON',
  unauthorized: 'Sign in again',
  wrong_credentials: 'The username or the password is wrong',
  session_ended: 'The session has ended, sign in again',
  borrowed_session: 'You are signed in as another user. Return to your own account to do this.',
  phone_not_confirmed: 'Confirm the phone number of the account first',
  account_inactive: 'The account was deactivated',
  type_unavailable: 'The account does not send this type of message',
  captcha_required: 'Solve the challenge of GET /captcha first',
  registration_closed: 'Registration is closed',
  forbidden: 'Access denied. You do not have permission to perform this action.',
  not_found: 'There is no such thing, or it is not yours to see',
  method_not_allowed: 'The path does not take this method',
  conflict: 'Somebody else changed it in the meantime, or its state does not allow this',
  in_use: 'It is in use and cannot be removed',
  currency_mismatch: 'The accounts have different currencies',
  list_removed: 'The list was removed',
  phone_used: 'Another account had the free credit of this phone',
  idempotency_running: 'The first call with this key is still running',
  idempotency_mismatch: 'This key was used with another body',
  too_large: 'What was sent is too large',
  unsupported_media: 'What was sent is of a type that is not taken',
  insufficient_funds: 'The balance does not cover this sending',
  no_price: 'The tariff has no price for this sending',
  invalid_recipient: 'The recipient is no address that this channel reaches',
  blacklisted: 'The recipient is on a blacklist of the account',
  validation: 'Some fields are not valid',
  unknown_field: 'Some fields are not known',
  no_recipients: 'There is no one to send to',
  sender_not_approved: 'The sender name is not registered or not approved',
  unreadable_file: 'The file cannot be read',
  date_range: 'The span of dates is too long',
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
    super(message ?? MESSAGES[code], { cause: detail.cause });
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
