import { STATUS } from '@heliograph/smpp';
import { AppError } from '../../core/errors.ts';

/** `command_status` by the code of a refusal; `docs/en/api/SMPP.md` has the table. */
const BY_CODE: Record<string, number> = {
  invalid_recipient: STATUS.ESME_RINVDSTADR,
  no_recipients: STATUS.ESME_RINVDSTADR,
  landline: STATUS.ESME_RINVDSTADR,
  blacklisted: STATUS.ESME_RINVDSTADR,
  unsubscribed: STATUS.ESME_RINVDSTADR,
  frequency_cap_reached: STATUS.ESME_RINVDSTADR,
  sender_not_approved: STATUS.ESME_RINVSRCADR,
  sender_not_registered: STATUS.ESME_RINVSRCADR,
  too_long: STATUS.ESME_RINVMSGLEN,
  rate_limited: STATUS.ESME_RTHROTTLED,
  internal: STATUS.ESME_RSYSERR,
  unavailable: STATUS.ESME_RSYSERR,
  storage_unavailable: STATUS.ESME_RSYSERR,
  channel_down: STATUS.ESME_RSYSERR,
};

const BY_FIELD: [beginning: string, status: number][] = [
  ['recipient', STATUS.ESME_RINVDSTADR],
  ['payload.sender', STATUS.ESME_RINVSRCADR],
  ['payload.text', STATUS.ESME_RINVMSGLEN],
  ['schedule.delay', STATUS.ESME_RINVSCHED],
  ['sendAt', STATUS.ESME_RINVSCHED],
  ['schedule.validUntil', STATUS.ESME_RINVEXPIRY],
];

/** The status of a message that was refused with a code. */
export const statusOfCode = (code: string): number => BY_CODE[code] ?? STATUS.ESME_RSUBMITFAIL;

/** The status that an error of a submit is answered with; undefined for an error that nobody foresaw. */
export function statusOfError(error: unknown): number | undefined {
  if (!(error instanceof AppError)) return undefined;
  const field = error.detail.issues?.[0]?.field;
  const known = BY_FIELD.find(([beginning]) => field?.startsWith(beginning))?.[1];
  return known ?? statusOfCode(error.code);
}
