import { z } from 'zod';

import { CarrierBase, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';

const metaId = z.string().regex(/^\d{5,20}$/, 'An id of Meta has 5 to 20 digits.');
const secret = z
  .string()
  .regex(/^[!-~]{16,255}$/, 'A secret has 16 to 255 characters, without spaces.');
const { timeoutMs, connectTimeoutMs, connections } = httpLimits;

export const WhatsappOptions = z.strictObject({
  url: publicOption(CarrierBase.default('https://graph.facebook.com')),
  version: publicOption(
    z
      .string()
      .regex(/^v\d{1,3}\.\d{1,2}$/, 'A version is written as v23.0.')
      .default('v23.0'),
  ),
  /** The id of the number, which is not the number. */
  phoneNumberId: publicOption(metaId),
  /** Whose templates are used; without it messages are free text only. */
  businessAccountId: publicOption(metaId.optional()),
  accessToken: z.string().regex(/^[!-~]{16,2000}$/, 'A token has 16 characters or more.'),
  /** Signs callbacks. */
  appSecret: secret,
  /** Shown by Meta once, when it asks whether the address is ours. */
  verifyToken: secret,
  previewLinks: publicOption(z.boolean().default(false)),
  timeoutMs,
  connectTimeoutMs,
  connections,
});
export type WhatsappOptions = z.output<typeof WhatsappOptions>;
