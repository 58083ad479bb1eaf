import { z } from 'zod';

import { CarrierBase, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';

const { timeoutMs, connectTimeoutMs, connections } = httpLimits;
const MAX_GREETING = 1_000;

export const TelegramBotOptions = z.strictObject({
  url: publicOption(CarrierBase.default('https://api.telegram.org')),
  /** The number of the bot, a colon and its secret. What proves callbacks follows from it. */
  token: z
    .string()
    .regex(/^\d{1,16}:[\w-]{20,100}$/, 'A token of a bot is written as 123456:ABC-DEF.'),
  /** Telegram is told to post there. */
  callbackUrl: publicOption(
    z
      .string()
      .max(256)
      .regex(
        /^https:\/\/[^\s/:]+(?::(?:443|80|88|8443))?\/[!-~]+$/,
        'Telegram posts to an https address, on port 443, 80, 88 or 8443.',
      ),
  ),
  /** What a person who has opened the bot is asked, in place of our words in its language. */
  greeting: publicOption(z.string().trim().min(1).max(MAX_GREETING).optional()),
  previewLinks: publicOption(z.boolean().default(false)),
  timeoutMs,
  connectTimeoutMs,
  connections,
});
export type TelegramBotOptions = z.output<typeof TelegramBotOptions>;
