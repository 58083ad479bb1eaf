import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text, Time } from './fields.ts';

/** As the letter names it. One that is no key of ours is not found, whatever it looks like. */
const ByKey = z.object({ key: text(200).min(1) });

export const emails = {
  sendLetter: endpoint('POST', '/users/me/email/letter', {
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }).optional(),
    /** To which address it goes, and for how many seconds its key is good. */
    response: z.object({ email: z.string(), expiresIn: z.int() }),
    can: 'session',
    summary: 'Send the letter that confirms the e-mail, or the one that waits to become it',
  }),
  check: endpoint('GET', '/confirm/:key', {
    params: ByKey,
    response: z.object({ username: z.string(), email: z.string(), expiresAt: Time }),
    can: 'public',
    cost: 'lookup',
    summary: 'Which address of whom a key confirms; 404 when it is invalid or has expired',
  }),
  /** Uses the key up. `username` is how the person signs in from now on. */
  confirm: endpoint('POST', '/confirm/:key', {
    params: ByKey,
    response: z.object({ username: z.string(), email: z.string() }),
    can: 'public',
    cost: 'lookup',
    audit: 'emails.confirm',
    summary: 'Confirm an address with a key: it takes effect',
  }),
};
