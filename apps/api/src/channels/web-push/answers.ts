import { retryAfterMs } from '../../core/http/retry-after.ts';
import { UnknownOutcome } from '../channel.ts';
import { type HttpAnswer, isSuccess } from '../http-call.ts';
import type { DeviceResult } from '../push.ts';

const BUSY_RETRY_MS = 30_000;
/** Of a text of the service, for managers. */
const MAX_TEXT = 500;

/** What a push service says of a message to one subscription (RFC 8030). Throws UnknownOutcome if it may have taken it. */
export function readAnswer({ status, retryAfter, body }: HttpAnswer): DeviceResult {
  if (isSuccess(status)) return { result: 'accepted' };
  const refused = {
    result: 'rejected',
    carrierCode: status,
    text: body.slice(0, MAX_TEXT),
  } as const;
  switch (status) {
    case 404:
    case 410:
      return { result: 'gone', carrierCode: status };
    case 413:
      return { ...refused, code: 'too_long' };
    // Of another key: the subscriptions of this one are taken all the same.
    case 401:
    case 403:
      return { ...refused, code: 'not_authorized' };
    case 429:
    case 503:
      return {
        result: 'throttled',
        retryAfter: retryAfterMs(String(retryAfter ?? '')) ?? BUSY_RETRY_MS,
      };
  }
  if (status >= 500) throw new UnknownOutcome(`answered ${status}`);
  return { ...refused, code: 'rejected' };
}
