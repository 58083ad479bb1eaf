import { createPrivateKey } from 'node:crypto';

import { z } from 'zod';

import { CarrierBase, CarrierUrl, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';
import { integerOption } from '../socket-options.ts';

const MIN_KEY_BITS = 2048;
const MAX_ACCOUNT_LENGTH = 10_000;

/** The key of a service account, of the file that the console of Firebase gives. */
const ServiceAccount = z.object({
  type: z.literal('service_account'),
  client_email: z.email().max(320),
  private_key: z.string().max(8_000).refine(isSigningKey),
  private_key_id: z.string().max(200).optional(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

export const FcmOptions = z.strictObject({
  projectId: publicOption(
    z.string().regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'This is not the id of a project.'),
  ),
  /** The file with the key of a service account, as it is. */
  serviceAccount: z
    .string({ error: 'Give the key of a service account.' })
    .max(MAX_ACCOUNT_LENGTH, { abort: true })
    .refine(
      (json) => serviceAccountIn(json) !== undefined,
      `This is no key of a service account: the whole JSON file, with an RSA key of ${MIN_KEY_BITS} bits or more.`,
    ),
  url: publicOption(CarrierBase.default('https://fcm.googleapis.com')),
  tokenUrl: publicOption(CarrierUrl.default('https://oauth2.googleapis.com/token')),
  /** Seconds after which a message counts as delivered: nobody tells. */
  deliveredAfter: integerOption(0, 432_000, 3_600),
  timeoutMs: httpLimits.timeoutMs,
  connectTimeoutMs: httpLimits.connectTimeoutMs,
  connections: integerOption(1, 100, 40),
});
export type FcmOptions = z.output<typeof FcmOptions>;

/** The key in a file; undefined if it is none. */
export function serviceAccountIn(json: string): ServiceAccount | undefined {
  try {
    return ServiceAccount.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'rsa' && asymmetricKeyDetails!.modulusLength! >= MIN_KEY_BITS;
  } catch {
    return false;
  }
}
