import type { SendingErrorCode } from '@heliograph/domain';

/** Causes of Q.850 with which a call ends before it is answered. */
const CAUSES: Readonly<Record<number, SendingErrorCode>> = {
  1: 'number_not_found',
  2: 'no_route',
  3: 'no_route',
  16: 'no_answer',
  17: 'busy',
  18: 'absent_subscriber',
  19: 'no_answer',
  20: 'absent_subscriber',
  21: 'blocked',
  22: 'number_not_found',
  27: 'absent_subscriber',
  28: 'invalid_recipient',
  31: 'no_answer',
  34: 'temporary',
  38: 'temporary',
  41: 'temporary',
  42: 'temporary',
  44: 'temporary',
  47: 'temporary',
  50: 'not_authorized',
  52: 'not_authorized',
  57: 'not_authorized',
  58: 'unsupported',
  65: 'unsupported',
  66: 'unsupported',
  69: 'unsupported',
  88: 'unsupported',
  102: 'provider_timeout',
  111: 'rejected',
  127: 'undeliverable',
};

/** Why a call failed that nobody has answered. `failureByCause(17)` is 'busy'. */
export const failureByCause = (cause: number | undefined): SendingErrorCode =>
  CAUSES[cause ?? 0] ?? 'unknown';
