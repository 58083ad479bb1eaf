import { z } from 'zod';

import { CarrierBase, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';

const { timeoutMs, connectTimeoutMs, connections } = httpLimits;

/** Seconds that Telegram may be given for the delivery of a code. */
export const TTL = { min: 30, max: 3_600 };

export const TelegramGatewayOptions = z.strictObject({
  url: publicOption(CarrierBase.default('https://gatewayapi.telegram.org')),
  /** Also signs what Telegram reports. */
  token: z.string().regex(/^[!-~]{16,255}$/, 'A token has 16 to 255 characters, without spaces.'),
  /** Goes with each code: Telegram knows no other address. */
  callbackUrl: publicOption(
    z
      .string()
      .max(256)
      .regex(/^https:\/\/[!-~]+$/, 'Telegram reports to an https address.'),
  ),
  /** Of a verified channel of the account, in whose name codes come; without it in that of Telegram. */
  username: publicOption(
    z
      .string()
      .regex(/^\w{4,32}$/, 'A name has 4 to 32 letters, digits and underscores, without @.')
      .optional(),
  ),
  /** Seconds; less for a message that has less time. */
  ttl: publicOption(z.number().int().min(TTL.min).max(TTL.max).default(300)),
  timeoutMs,
  connectTimeoutMs,
  connections,
});
export type TelegramGatewayOptions = z.output<typeof TelegramGatewayOptions>;
