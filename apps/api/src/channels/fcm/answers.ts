import { z } from 'zod';

import { ChannelDown, UnknownOutcome } from '../channel.ts';
import { documentIn, type HttpAnswer, isSuccess, refuseByStatus } from '../http-call.ts';
import { retryAfterMs } from '../../core/http/retry-after.ts';
import type { DeviceResult } from '../push.ts';

/** Without `Retry-After`, as the documentation asks for. */
const QUOTA_RETRY_MS = 60_000;
const BUSY_RETRY_MS = 30_000;
/** The configuration must be corrected first. */
const CONFIGURATION_RETRY_MS = 60_000;
/** Of a text of the service, for managers. */
const MAX_TEXT = 500;

const Accepted = z.object({ name: z.string().min(1) });
const Refused = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().catch(''),
    details: z.array(z.unknown()).catch([]),
  }),
});
const FcmError = z.object({
  '@type': z.literal('type.googleapis.com/google.firebase.fcm.v1.FcmError'),
  errorCode: z.string(),
});
const BadRequest = z.object({
  fieldViolations: z.array(z.object({ field: z.string() })),
});

/** The service refuses the access token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * What an answer says of the message to one device. Throws ChannelDown if it is about the channel, TokenRefused if about its access
 * token, and UnknownOutcome if it does not say whether the message was taken.
 */
export function readAnswer(answer: HttpAnswer): DeviceResult {
  const { status, retryAfter, body } = answer;
  if (isSuccess(status)) {
    if (Accepted.safeParse(documentIn(body)).success) return { result: 'accepted' };
    throw new UnknownOutcome('the answer has no name of a message');
  }
  if (status === 429 || status === 503) {
    const preset = status === 429 ? QUOTA_RETRY_MS : BUSY_RETRY_MS;
    const asked = retryAfterMs(String(retryAfter ?? ''));
    return { result: 'throttled', retryAfter: asked ?? preset };
  }
  const refusal = refusalIn(body);
  switch (refusal?.code) {
    case 'UNREGISTERED':
      return { result: 'gone', carrierCode: refusal.code };
    case 'INVALID_ARGUMENT':
      if (refusal.isOfToken) return { result: 'gone', carrierCode: refusal.code };
      return rejected(
        /too (?:big|large)/i.test(refusal.text) ? 'too_long' : 'invalid_payload',
        refusal,
      );
    // Of another project, or the keys of the project for Apple's or the browsers' services are wrong: others may get theirs.
    case 'SENDER_ID_MISMATCH':
    case 'THIRD_PARTY_AUTH_ERROR':
      return rejected('not_authorized', refusal);
  }
  if (status === 401) throw new TokenRefused(refusal?.text);
  if (status < 500) {
    const said = refusal ? ` ${refusal.code}` : '';
    throw new ChannelDown(`answered ${status}${said}`, CONFIGURATION_RETRY_MS);
  }
  refuseByStatus(answer);
  throw new UnknownOutcome(`answered ${status}`);
}

interface Refusal {
  /** Of FCM, or the general one of the API. */
  code: string;
  text: string;
  /** Whether the registration token is none. */
  isOfToken: boolean;
}

function refusalIn(body: string): Refusal | undefined {
  const { data } = Refused.safeParse(documentIn(body));
  if (!data) return undefined;
  const { message, status, details } = data.error;
  const own = details.flatMap((one) => FcmError.safeParse(one).data?.errorCode ?? []);
  const fields = details.flatMap((one) => BadRequest.safeParse(one).data?.fieldViolations ?? []);
  return {
    code: own[0] ?? status,
    text: message.slice(0, MAX_TEXT),
    isOfToken:
      /registration token/i.test(message.slice(0, MAX_TEXT)) ||
      fields.some(({ field }) => field === 'message.token'),
  };
}

const rejected = (
  code: 'too_long' | 'invalid_payload' | 'not_authorized',
  { code: carrierCode, text }: Refusal,
): DeviceResult => ({ result: 'rejected', code, carrierCode, text });
