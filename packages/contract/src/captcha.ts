import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text } from './fields.ts';

const hex = z
  .string()
  .max(512)
  .regex(/^[0-9a-f]*$/);

/** Proof-of-work challenge of ALTCHA, version 2: find a counter whose derived key begins with `keyPrefix`. */
export const CaptchaChallenge = z.object({
  parameters: z.object({
    algorithm: z.literal('SHA-256'),
    nonce: hex,
    salt: hex,
    cost: z.int32().min(1),
    keyLength: z.int32().min(1).max(64),
    keyPrefix: hex,
    keySignature: hex,
    /** Unix seconds. */
    expiresAt: z.int().min(0),
  }),
  signature: hex.min(1),
});
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;

/** Value of `captcha`, JSON encoded in base64: the unchanged challenge and its solution. */
export const CaptchaPayload = z.object({
  challenge: CaptchaChallenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex, time: z.number().optional() }),
});
export type CaptchaPayload = z.infer<typeof CaptchaPayload>;

/** Required after the error `captcha_required`. A solution can be used once. */
export const Captcha = text(4000).min(1).optional();

export const captcha = {
  challenge: endpoint('GET', '/captcha', {
    response: CaptchaChallenge,
    can: 'public',
    // A person needs one or two, and each costs the server a hundred hashes.
    cost: 'login',
    summary: 'Create a proof-of-work challenge (ALTCHA) after the error captcha_required',
  }),
};
