import { LOCALES, MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { Password } from './auth.ts';
import { Captcha } from './captcha.ts';
import { endpoint } from './endpoint.ts';
import { text, Time, trimmed } from './fields.ts';

/** As the letter names it. One that is no key of ours is not found, whatever it looks like. */
const ByKey = z.object({ key: text(200).min(1) });

export const RecoveryRequest = z.strictObject({
  /** A login or an e-mail. */
  login: trimmed(MAX_EMAIL_LENGTH).min(1),
  /** The letter's language; without it that of the browser. */
  locale: z.enum(LOCALES).optional(),
  captcha: Captcha,
});
export type RecoveryRequest = z.infer<typeof RecoveryRequest>;

export const recovery = {
  /** The same answer whether or not anybody is called so. 503 `mail_off` where the installation sends no mail. */
  request: endpoint('POST', '/recover', {
    body: RecoveryRequest,
    /** Seconds for which the key of a letter is good. */
    response: z.object({ expiresIn: z.int() }),
    can: 'public',
    cost: 'lookup',
    audit: 'recovery.request',
    summary: 'Ask for a letter with a key to a new password',
  }),
  check: endpoint('GET', '/recover/:key', {
    params: ByKey,
    response: z.object({ username: z.string(), expiresAt: Time }),
    can: 'public',
    cost: 'lookup',
    summary: 'Whose password a key opens; 404 when it is invalid or has expired',
  }),
  /** Uses the key up and ends every session of its user. */
  reset: endpoint('POST', '/recover/:key', {
    params: ByKey,
    body: z.strictObject({ password: Password }),
    response: z.object({ username: z.string() }),
    can: 'public',
    cost: 'lookup',
    audit: 'recovery.reset',
    summary: 'Set a new password with a key',
  }),
};
