import type { SendingErrorCode } from '@heliograph/domain';
import { STATUS, statusName } from '@heliograph/smpp';

import { errorKey } from './options.ts';

/** Refusals that say something about the message. All others, those of the carrier's own too, are `rejected`. */
const REASONS = new Map<number, SendingErrorCode>([
  [STATUS.ESME_RINVMSGLEN, 'too_long'],
  [STATUS.ESME_RINVPARLEN, 'too_long'],
  [STATUS.ESME_RINVSRCADR, 'rejected_sender'],
  [STATUS.ESME_RINVSRCTON, 'rejected_sender'],
  [STATUS.ESME_RINVSRCNPI, 'rejected_sender'],
  [STATUS.ESME_RINVDSTADR, 'invalid_recipient'],
  [STATUS.ESME_RINVDSTTON, 'invalid_recipient'],
  [STATUS.ESME_RINVDSTNPI, 'invalid_recipient'],
  [STATUS.ESME_RDELIVERYFAILURE, 'undeliverable'],
  // The account: closed, or its password changed since the bind.
  [STATUS.ESME_RINVPASWD, 'not_authorized'],
  [STATUS.ESME_RINVSYSID, 'not_authorized'],
]);

/** Refusals that pass, with the milliseconds after which the message is submitted again. Those for the rate are the link's. */
const PASSING = new Map<number, number>([
  [STATUS.ESME_RSYSERR, 30_000],
  [STATUS.ESME_RX_T_APPN, 30_000],
  // The carrier counts this session as unbound.
  [STATUS.ESME_RINVBNDSTS, 30_000],
]);

export type Refusal = { retryAfter: number } | { code: SendingErrorCode; text: string };

/** What a `command_status` means for its message. `errors` is the channel's own table. */
export function refusalOf(status: number, errors: ReadonlyMap<string, SendingErrorCode>): Refusal {
  const own = errors.get(errorKey(`0x${status.toString(16)}`));
  const retryAfter = PASSING.get(status);
  if (!own && retryAfter !== undefined) return { retryAfter };
  return { code: own ?? REASONS.get(status) ?? 'rejected', text: statusName(status) };
}
