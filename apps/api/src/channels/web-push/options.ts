import { z } from 'zod';

import { httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';
import { integerOption } from '../socket-options.ts';
import { isPair } from './vapid.ts';

const SUBJECT =
  /^(?:mailto:[\w.+-]{1,64}@|https:\/\/)(?:[a-z0-9-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}(?:\/[!-~]{0,200})?$/i;

export const WebPushOptions = z
  .strictObject({
    /** Whom a push service asks when something is wrong. Apple refuses names that are not of a public domain. */
    subject: publicOption(
      z
        .string()
        .max(400, { abort: true })
        .regex(
          SUBJECT,
          'This is neither mailto: with an e-mail address nor an https address of a public domain.',
        ),
    ),
    publicKey: publicOption(
      z.string().regex(/^B[\w-]{86}$/, 'A public key is 65 bytes in base64url.'),
    ),
    privateKey: z
      .string({ error: 'Give the private key.' })
      .regex(/^[\w-]{43}$/, 'A private key is 32 bytes in base64url.'),
    /** Seconds after which a message counts as delivered: nobody tells. */
    deliveredAfter: integerOption(0, 432_000, 3_600),
    timeoutMs: httpLimits.timeoutMs,
    connectTimeoutMs: httpLimits.connectTimeoutMs,
    connections: integerOption(1, 100, 40),
  })
  .superRefine((keys, context) => {
    if (isPair(keys)) return;
    const message = 'The keys are not a pair.';
    context.addIssue({ code: 'custom', path: ['privateKey'], message });
  });
export type WebPushOptions = z.output<typeof WebPushOptions>;
