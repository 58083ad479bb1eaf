import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text, Time } from './fields.ts';

/** The key from the link in the e-mail. Any unknown value is `not_found`, whatever its format. */
const ByKey = z.object({ key: text(200).min(1) });

export const emails = {
  sendConfirmation: endpoint('POST', '/users/me/email/letter', {
    bound: 'limiter',
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }).optional(),
    /** The address of the e-mail, and the lifetime of its key in seconds. */
    response: z.object({ email: z.string(), expiresIn: z.int() }),
    can: 'session',
    sessionOnly: true,
    summary: 'Send the confirmation e-mail to the current or pending address',
  }),
  /** `conflict` if no change is pending. */
  cancel: endpoint('DELETE', '/users/me/email/letter', {
    response: z.object({ cancelled: z.string() }),
    can: 'session',
    sessionOnly: true,
    audit: 'emails.cancel',
    summary: 'Cancel the pending change of the e-mail address or username',
  }),
  check: endpoint('GET', '/confirm/:key', {
    params: ByKey,
    response: z.object({ username: z.string(), email: z.string(), expiresAt: Time }),
    can: 'public',
    cost: 'lookup',
    summary: 'Retrieve the user and the address of a key; 404 if it is invalid or has expired',
  }),
  /** A key can be used once. `username` is the username after the change. */
  confirm: endpoint('POST', '/confirm/:key', {
    params: ByKey,
    response: z.object({ username: z.string(), email: z.string() }),
    can: 'public',
    cost: 'lookup',
    audit: 'emails.confirm',
    summary: 'Confirm an address with a key',
  }),
};
