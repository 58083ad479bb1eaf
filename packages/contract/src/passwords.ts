import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { Password, Session } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Id, lines } from './fields.ts';

export const PasswordChange = z.strictObject({
  /** The id of the caller. */
  userId: Id,
  passwords: z.strictObject({ oldPassword: lines(150).min(1), newPassword: Password }),
  /** Language of the notice by e-mail; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
});

export const passwords = {
  /** Ends all sessions of the user; the response is the session that replaces the one of the request. */
  change: endpoint('POST', '/changePassword', {
    body: PasswordChange,
    newPassword: 'passwords.newPassword',
    response: Session,
    can: 'session',
    sessionOnly: true,
    audit: 'passwords.change',
    summary: 'Change your own password',
  }),
};
