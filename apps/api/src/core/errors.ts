import { ERRORS, type ErrorCode, type FieldIssue } from '@heliograph/contract';
import type { FieldRule } from '@heliograph/contract/descriptions';

/** The default message of each code. `sentence` adds the full stop. */
const MESSAGES: Record<ErrorCode, string> = {
  bad_request: 'The request is malformed',
  malformed_json: 'The request body is not valid JSON',
  unauthorized: 'The token is missing or invalid. Sign in again, or use another API token.',
  wrong_credentials: 'The username or password is incorrect',
  second_factor_required: 'A code of the second factor is required. Send it as code.',
  wrong_code: 'The code is wrong or was already used',
  wrong_passkey: 'The passkey is not known, or its signature is wrong or was already used',
  wrong_identity:
    'The identity provider does not confirm the sign-in, or it was begun elsewhere or too long ago',
  unknown_identity: 'No user is linked to this identity. Sign in and link it first.',
  identity_required: 'Members of this account sign in through its identity provider alone',
  session_ended: 'The session has ended. Sign in again.',
  borrowed_session:
    'This action is not allowed while you are signed in as another user. Return to your own account.',
  session_required: 'API tokens cannot make this request. Sign in with a password.',
  test_token_required: 'The request has the header X-Test-Only, and its token is not a test one',
  address_not_allowed: 'The API token is not valid from this address',
  second_factor_setup_required:
    'The installation requires a second factor for your level. Set it up first.',
  phone_not_confirmed: 'The phone number of the account is not confirmed. Confirm it first.',
  account_inactive: 'The account is deactivated',
  type_unavailable: 'This message type is not enabled for the account',
  captcha_required: 'A captcha is required. Solve the challenge of GET /captcha.',
  registration_closed: 'Registration is closed',
  forbidden: 'You do not have permission to perform this action',
  not_found: 'The resource does not exist, or you do not have access to it',
  poll_timeout: 'Nothing has changed. Repeat the request.',
  method_not_allowed: 'This method is not allowed for this path',
  conflict: 'The resource was changed by another request, or its state does not allow this action',
  in_use: 'The resource is in use and cannot be removed',
  currency_mismatch: 'The accounts have different currencies',
  list_removed: 'The contact list was removed',
  token_ended: 'The API token that created it has ended or may no longer send',
  phone_used: 'The free credit of this phone number was given to another account',
  device_link_beta:
    'The phone takes part in the beta of linked devices. Leave the beta and scan a new code.',
  instance_expired: 'The instance is not paid. Renew it first.',
  instance_removed: 'The instance was removed',
  instance_authorized: 'A phone is linked to the instance. Log out first to link another one.',
  instance_not_authorized: 'No phone is linked to the WhatsApp instance',
  phone_already_used: 'This phone is linked to another instance',
  tariff_required: 'The tariff has no price for the subscription',
  idempotency_running: 'The first request with this idempotency key is still in progress',
  idempotency_mismatch: 'This idempotency key was used with a different request',
  too_large: 'The request body is too large',
  unsupported_media: 'This content type is not supported',
  range_not_satisfiable: 'The file has no such range',
  insufficient_funds: 'The balance does not cover this sending',
  spend_cap_reached: 'A spend cap of the account or of the API token does not cover this sending',
  payment_refused: 'The acquirer refused the payment',
  no_price: 'The tariff has no price for this sending',
  no_value: 'A variable of the message has neither a value nor a default',
  too_long: 'With the values of its variables the message is longer than the channel allows',
  invalid_recipient: 'The recipient is not a valid address for this channel',
  blacklisted: 'The recipient is on a blacklist of the account',
  unsubscribed: 'The recipient has unsubscribed from the messages of the account',
  frequency_cap_reached:
    'The recipient has had as many advertising messages of the account as its frequency cap allows',
  validation: 'Some fields are invalid',
  unknown_field: 'Some fields are unknown',
  no_recipients: 'The sending has no recipients',
  sender_not_approved: 'The sender name is not registered or not approved',
  sender_not_registered:
    'The sender name is not registered at any carrier of the platform for this type',
  unreadable_file: 'The file cannot be read',
  date_range: 'The date range is too long',
  internal: 'An internal error occurred',
  mail_off: 'E-mail is not configured on this installation. Contact its administrator.',
  unavailable: 'The service is temporarily unavailable. Try again later.',
  storage_unavailable: 'The file storage is temporarily unavailable. Try again later.',
  quota_exceeded: 'The quota of the account is exhausted. Remove unused items first.',
  rate_limited: 'Too many requests. Try again later.',
  headers_too_large: 'The URL or the headers are too large. Request fewer ids at a time.',
};

/** An error with a code of the contract. `ErrorFilter` turns it into the response. */
export class AppError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly detail: {
      issues?: FieldIssue[];
      payload?: Record<string, unknown>;
      headers?: Record<string, string>;
      /** The foreign account that the request named. Written to the audit log only. */
      foreignAccount?: string;
      /** Name of an error of one-time codes. */
      type?: string;
      /** Written to the log only. */
      cause?: string;
    } = {},
  ) {
    super(message ?? MESSAGES[code], { cause: detail.cause });
    this.name = 'AppError';
    this.status = ERRORS[code];
  }
}

export const notFound = () => new AppError('not_found');

export const noLegalPayers = () =>
  new AppError('forbidden', 'This installation has no legal payers');

/** Throws `not_found` with the ids that are not among the rows found: `assertFound('File', ids, files)`. */
export function assertFound(what: string, ids: Iterable<string>, found: { id: string }[]): void {
  const known = new Set(found.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !known.has(id.toLowerCase())).slice(0, 10);
  if (!missing.length) return;
  throw new AppError('not_found', `${what} not found: ${missing.join(', ')}`, {
    payload: { ids: missing },
  });
}

/** A validation error of one field. */
export function invalid(field: string, rule: FieldRule, message: string): AppError {
  return invalidFields([{ field, rule, message }]);
}

/** A validation error of several fields. */
export function invalidFields(issues: FieldIssue[]): AppError {
  const [only, ...others] = issues;
  return new AppError('validation', others.length ? undefined : only?.message, { issues });
}
