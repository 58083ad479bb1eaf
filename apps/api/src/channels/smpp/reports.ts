import type { SendingErrorCode } from '@heliograph/domain';
import { comparableId, type MessageState, type Receipt } from '@heliograph/smpp';

import type { CarrierReport } from '../channel.ts';
import { errorKey, type SmppOptions } from './options.ts';

/** Undefined in a receipt is a word that nobody knows: it ends nothing. */
const STATUSES: Record<MessageState, [CarrierReport['status'], SendingErrorCode?]> = {
  enroute: ['processing'],
  accepted: ['processing'],
  delivered: ['delivered'],
  expired: ['failed', 'expired'],
  deleted: ['failed', 'deleted'],
  undeliverable: ['failed', 'undeliverable'],
  rejected: ['failed', 'rejected'],
  // The carrier's last word, of which it knows no more.
  unknown: ['failed', 'unknown'],
};

/** A receipt as a report of the part with its id. */
export function reportOf(
  receipt: Receipt,
  { receiptIds }: Pick<SmppOptions, 'receiptIds'>,
  errors: ReadonlyMap<string, SendingErrorCode>,
  now: Date,
): CarrierReport {
  const [status, reason] = STATUSES[receipt.state ?? 'enroute'];
  const own = receipt.error === undefined ? undefined : errors.get(errorKey(receipt.error));
  const code = status === 'failed' ? (own ?? reason) : undefined;
  return {
    externalId: comparableId(receipt.messageId, receiptIds),
    status,
    ...(code && { code }),
    ...(code && isError(receipt.error) && { carrierCode: receipt.error }),
    at: receipt.at ?? now,
  };
}

/** Zeros stand for none. */
const isError = (error: string | undefined): error is string =>
  error !== undefined && !/^0*$/.test(error);
