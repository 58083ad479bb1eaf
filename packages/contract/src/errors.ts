import * as z from 'zod';
import type { FieldRule } from './descriptions/errors.ts';

/** Error codes with their HTTP status. The cabinet translates them by code. */
export const ERRORS = {
  bad_request: 400,
  malformed_json: 400,
  unauthorized: 401,
  wrong_credentials: 401,
  /** The password is right; the sign-in also needs a code. */
  second_factor_required: 401,
  wrong_code: 401,
  /** A passkey that is not known, or whose signature is wrong or was used before. */
  wrong_passkey: 401,
  /** The identity provider does not confirm the sign-in, or it was begun in another browser, too long ago, or was finished before. */
  wrong_identity: 401,
  /** The identity provider confirms a person to whom no user is linked. */
  unknown_identity: 401,
  /** The user signs in through an identity provider alone, which `payload.provider` names. */
  identity_required: 401,
  session_ended: 401,
  insufficient_funds: 402,
  spend_cap_reached: 402,
  /** The acquirer refuses a payment or a refund. */
  payment_refused: 402,
  forbidden: 403,
  phone_not_confirmed: 403,
  borrowed_session: 403,
  /** An API token cannot call this endpoint. */
  session_required: 403,
  /** The call has the header `X-Test-Only`, and its token is not a test one. */
  test_token_required: 403,
  /** The API token is limited to other addresses. */
  address_not_allowed: 403,
  /** The level of the user requires a second factor, which is not set up. */
  second_factor_setup_required: 403,
  account_inactive: 403,
  type_unavailable: 403,
  captcha_required: 403,
  registration_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** A long poll ended without a change. */
  poll_timeout: 408,
  conflict: 409,
  in_use: 409,
  currency_mismatch: 409,
  list_removed: 409,
  /** The API token that created the task has ended, or may no longer send. */
  token_ended: 409,
  /** A quota of the account is used up. */
  quota_exceeded: 409,
  /** Another account received the free credit for this phone. */
  phone_used: 409,
  /** The phone is in the beta of linked devices, which cannot scan the code. */
  device_link_beta: 409,
  instance_expired: 409,
  instance_removed: 409,
  instance_authorized: 409,
  instance_not_authorized: 409,
  /** Another instance has this phone. */
  phone_already_used: 409,
  /** The tariff has no price for the subscription. */
  tariff_required: 409,
  idempotency_running: 409,
  too_large: 413,
  unsupported_media: 415,
  /** `Content-Range` says how large the file is. */
  range_not_satisfiable: 416,
  validation: 422,
  unknown_field: 422,
  idempotency_mismatch: 422,
  no_price: 422,
  no_value: 422,
  too_long: 422,
  no_recipients: 422,
  sender_not_approved: 422,
  /** No channel that takes the type has the sender name registered. */
  sender_not_registered: 422,
  invalid_recipient: 422,
  blacklisted: 422,
  unsubscribed: 422,
  frequency_cap_reached: 422,
  unreadable_file: 422,
  date_range: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  /** The store of file contents cannot be reached, or its disk is full. */
  storage_unavailable: 503,
  /** The installation cannot send e-mails. */
  mail_off: 503,
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ErrorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/** The body of every error response. `data` and `errors` have the same content in two formats, for validation errors only. */
export const ErrorBody = z.object({
  error: z.int(),
  code: ErrorCode,
  name: z.string(),
  message: z.string(),
  data: z.array(z.object({ field: z.string(), message: z.string(), type: z.string() })).optional(),
  errors: z
    .array(z.object({ property: z.string(), constraints: z.record(z.string(), z.string()) }))
    .optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  /** Of one-time codes (`/n/otp-handler`): the name of the error and its HTTP status. */
  type: z.string().optional(),
  httpStatus: z.int().optional(),
  requestId: z.string(),
  docs: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export interface FieldIssue {
  field: string;
  rule: FieldRule;
  message: string;
}
