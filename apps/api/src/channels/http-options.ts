import { z } from 'zod';

import { publicOption } from './options.ts';

/** The address of a carrier. Everyone who may read channels sees it. */
export const CarrierUrl = z
  .url({ protocol: /^https?$/, error: 'This is not an http or https address.', abort: true })
  .refine(
    hasNoPassword,
    'Who reads channels sees the address: a name or password has no place in it.',
  );

/** The same for addresses to which a driver adds the paths of calls: without a slash at the end. */
export const CarrierBase = CarrierUrl.overwrite((url) => url.replace(/\/$/, ''));

function hasNoPassword(url: string): boolean {
  const { username, password } = new URL(url);
  return !username && !password;
}

/** Options of calls that the drivers over HTTP share. */
export const httpLimits = {
  timeoutMs: publicOption(z.number().int().min(100).max(120_000).default(15_000)),
  connectTimeoutMs: publicOption(z.number().int().min(100).max(60_000).default(5_000)),
  connections: publicOption(z.number().int().min(1).max(64).default(4)),
  deduplicates: publicOption(z.boolean().default(false)),
};
export type HttpLimits = { [name in keyof typeof httpLimits]: z.output<(typeof httpLimits)[name]> };
