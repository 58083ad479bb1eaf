import { z } from 'zod';

import { CarrierBase, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';

const { timeoutMs, connectTimeoutMs, connections } = httpLimits;
const MAX_GREETING = 1_000;

export const MaxBotOptions = z.strictObject({
  /** MAX has moved it before: from `botapi.max.ru` to `platform-api.max.ru`, and from there in 2026. */
  url: publicOption(CarrierBase.default('https://platform-api2.max.ru')),
  /** What proves callbacks follows from it, and shared numbers are signed with it. */
  token: z
    .string()
    .regex(
      /^[\w.~+/=-]{16,300}$/,
      'A token has 16 to 300 letters, digits and signs, and no spaces.',
    ),
  /** MAX is told to post there. */
  callbackUrl: publicOption(
    z
      .string()
      .max(256)
      .regex(
        /^https:\/\/[^\s/:@]+(?::443)?\/[!-~]+$/,
        'MAX posts to an https address, on port 443.',
      ),
  ),
  /** What a person who has opened the bot is asked, in place of our words in its language. */
  greeting: publicOption(z.string().trim().min(1).max(MAX_GREETING).optional()),
  previewLinks: publicOption(z.boolean().default(false)),
  timeoutMs,
  connectTimeoutMs,
  connections,
});
export type MaxBotOptions = z.output<typeof MaxBotOptions>;
