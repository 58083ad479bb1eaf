import { ApiError } from './errors.ts';
import type { CallOptions } from './client.ts';

/** Whether a number is confirmed, and if not, the error that says why: `SessionNotConfirmedException`. */
export type Confirmation = { confirmed: true } | { confirmed: false; reason: string };

interface Completing {
  otpHandler: {
    checkStatusAndComplete(
      requestId: string,
      query: { recipient: string },
      options?: CallOptions,
    ): Promise<unknown>;
  };
}

/**
 * Closes the session of a one-time code on your server, with the number that your server has: `requestId` comes from the
 * page and is not trusted. A session is confirmed to one caller, once.
 */
export async function confirmPhone(
  client: Completing,
  requestId: string,
  recipient: string,
  options?: CallOptions,
): Promise<Confirmation> {
  try {
    await client.otpHandler.checkStatusAndComplete(requestId, { recipient }, options);
    return { confirmed: true };
  } catch (error) {
    // What is wrong with the session, not with the call or the token.
    if (error instanceof ApiError && [400, 404, 409].includes(error.status))
      return { confirmed: false, reason: error.code };
    throw error;
  }
}
