import { LOCALES, MAX_EMAIL_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { Password } from './auth.ts';
import { Captcha } from './captcha.ts';
import { endpoint } from './endpoint.ts';
import { text, Time, trimmed } from './fields.ts';

/** The key from the link in the e-mail. Any unknown value is `not_found`, whatever its format. */
const ByKey = z.object({ key: text(200).min(1) });

export const RecoveryRequest = z.strictObject({
  /** A username or an e-mail address. */
  login: trimmed(MAX_EMAIL_LENGTH).min(1),
  /** Language of the e-mail; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
  captcha: Captcha,
});
export type RecoveryRequest = z.infer<typeof RecoveryRequest>;

export const recovery = {
  /** The response does not reveal whether the user exists. 503 `mail_off` if the installation cannot send e-mails. */
  request: endpoint('POST', '/recover', {
    body: RecoveryRequest,
    /** Lifetime of the key, in seconds. */
    response: z.object({ expiresIn: z.int() }),
    can: 'public',
    cost: 'lookup',
    audit: 'recovery.request',
    summary: 'Request an e-mail with a key to reset the password',
  }),
  check: endpoint('GET', '/recover/:key', {
    params: ByKey,
    /** `isInvitation`: the user has chosen no password yet. */
    response: z.object({ username: z.string(), expiresAt: Time, isInvitation: z.boolean() }),
    can: 'public',
    cost: 'lookup',
    summary: 'Retrieve the user of a key; 404 if it is invalid or has expired',
  }),
  /** A key can be used once. Ends all sessions of the user. */
  reset: endpoint('POST', '/recover/:key', {
    params: ByKey,
    body: z.strictObject({ password: Password }),
    newPassword: 'password',
    response: z.object({ username: z.string() }),
    can: 'public',
    cost: 'lookup',
    audit: 'recovery.reset',
    summary: 'Set a new password with a key',
  }),
};
