import type { ErrorCode } from '@heliograph/contract';
import { SENDING_ERRORS, type SendingErrorCode } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';
import type { Quote } from './pricing/quote.ts';

/** Refuses a whole call, with the error text that a failed message has for the same code. */
export const refused = (
  code: SendingErrorCode & ErrorCode,
  payload?: Record<string, unknown>,
): AppError => new AppError(code, SENDING_ERRORS[code], payload && { payload });

/** Codes by which a single message is refused, funds apart. */
export type SingleRefusal = SendingErrorCode & ErrorCode;

/** The first reason to refuse a single message; null when there is none. The same order for the message and for its estimate. */
export function singleRefusal(
  earlier: SingleRefusal | null,
  {
    isBlacklisted,
    isUnsubscribed,
    unsendable,
    isCapped = false,
  }: {
    isBlacklisted: boolean;
    isUnsubscribed: boolean;
    unsendable: Quote['refusal'];
    isCapped?: boolean;
  },
): SingleRefusal | null {
  if (earlier) return earlier;
  if (isBlacklisted) return 'blacklisted';
  if (isUnsubscribed) return 'unsubscribed';
  return unsendable ?? (isCapped ? 'frequency_cap_reached' : null);
}
