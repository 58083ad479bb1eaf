import type { ErrorCode } from '@heliograph/contract';
import { SENDING_ERRORS, type Money, type SendingErrorCode } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';

/** A refusal of the whole, in the words of a message that failed for it. */
export const refused = (
  code: SendingErrorCode & ErrorCode,
  payload?: Record<string, unknown>,
): AppError => new AppError(code, SENDING_ERRORS[code], payload && { payload });

/** Reasons for which a single message is refused, money apart. */
export type SingleRefusal = SendingErrorCode & ErrorCode;

/** Why a single message is refused, the first reason there is; null when it goes. One order for what is sent and for its estimate. */
export function singleRefusal(
  found: SingleRefusal | null,
  { isBlacklisted, amount }: { isBlacklisted: boolean; amount: Money | null },
): SingleRefusal | null {
  return found ?? (isBlacklisted ? 'blacklisted' : amount === null ? 'no_price' : null);
}
