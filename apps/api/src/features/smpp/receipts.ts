import { type MessageState, NUMBERING, addressOf } from '@heliograph/smpp';
import type { SendingErrorCode } from '@heliograph/domain';
import type { SmppAddress } from '../sendings/sendings.service.ts';

/** `err` of receipts and `error_code` of query_sm_resp, which are numbers. They are documented, and never change. */
export const ERROR_NUMBERS: Record<SendingErrorCode, number> = {
  absent_subscriber: 1,
  temporary: 2,
  expired: 3,
  rejected_sender: 4,
  blacklisted: 5,
  not_a_user: 6,
  partial: 7,
  throttled: 8,
  provider_timeout: 9,
  landline: 10,
  invalid_recipient: 11,
  blocked: 12,
  stopped: 13,
  superseded: 14,
  insufficient_funds: 15,
  spend_cap_reached: 16,
  no_price: 17,
  no_value: 18,
  channel_down: 19,
  invalid_payload: 20,
  rejected: 21,
  deleted: 22,
  undeliverable: 23,
  unsubscribed: 24,
  sender_not_approved: 25,
  phone_not_confirmed: 26,
  account_inactive: 27,
  type_unavailable: 28,
  template_mismatch: 29,
  outside_window: 30,
  busy: 31,
  no_answer: 32,
  content_rejected: 33,
  memory_full: 34,
  too_long: 35,
  no_route: 36,
  unsupported: 37,
  not_authorized: 38,
  number_not_found: 39,
  instance_not_authorized: 40,
  sender_not_registered: 41,
  frequency_cap_reached: 42,
  unknown: 99,
};

export const errorNumber = (code: string | null): number =>
  code === null ? 0 : (ERROR_NUMBERS[code as SendingErrorCode] ?? ERROR_NUMBERS.unknown);

/** Failures that are states of their own in SMPP. */
const STATES: Partial<Record<SendingErrorCode, MessageState>> = {
  expired: 'expired',
  deleted: 'deleted',
  stopped: 'deleted',
  rejected: 'rejected',
  rejected_sender: 'rejected',
  content_rejected: 'rejected',
  insufficient_funds: 'rejected',
  spend_cap_reached: 'rejected',
  frequency_cap_reached: 'rejected',
  no_price: 'rejected',
  sender_not_approved: 'rejected',
  sender_not_registered: 'rejected',
  template_mismatch: 'rejected',
};

/** The state of SMPP that a status with its code is. */
export function messageState(status: string, code: string | null): MessageState {
  if (status === 'delivered' || status === 'seen') return 'delivered';
  if (status !== 'failed') return 'enroute';
  return STATES[code as SendingErrorCode] ?? 'undeliverable';
}

/** A number or name as an address of SMPP. */
export function asAddress(text: string): SmppAddress {
  const { ton, npi, address } = addressOf(text, NUMBERING);
  return { ton, npi, address };
}
