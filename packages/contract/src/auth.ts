import { MAX_PASSWORD_LENGTH, PASSWORD_LIMITS } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, text, trimmed } from './fields.ts';

export const Username = trimmed(150)
  .min(5)
  .regex(/^[A-Za-z0-9+\-.@_]+$/, 'A username has Latin letters, digits and + - . @ _ only.');
/** A new password: printable ASCII. How long it must and may be the installation says, within these ends (`Frontend.password`). */
export const Password = text(MAX_PASSWORD_LENGTH)
  .min(PASSWORD_LIMITS.min)
  .regex(/^[\x20-\x7e]+$/, 'A password has Latin letters, digits and signs only.');

export const Credentials = z.strictObject({
  username: trimmed(150).min(1),
  password: text(150).min(1),
});
export type Credentials = z.infer<typeof Credentials>;

export const Session = z.object({ token: z.string(), id: Id, username: z.string() });
export type Session = z.infer<typeof Session>;

export const auth = {
  /** Answers with `x-ratelimit-limit`, `-remaining` and `-reset` (unix seconds), also when it refuses. */
  login: endpoint('POST', '/login', {
    body: Credentials,
    form: true,
    response: Session,
    can: 'public',
    cost: 'login',
    audit: 'auth.login',
    summary: 'Sign in',
  }),
  renew: endpoint('POST', '/login/renew', {
    response: Session,
    can: 'session',
    summary: 'Exchange a valid session for a fresh one',
  }),
  loginAs: endpoint('POST', '/login/as/:id', {
    params: z.object({ id: Id }),
    response: Session,
    can: 'secret.loginAs',
    accept: 'resellerUp',
    audit: 'auth.loginAs',
    summary: 'A session of another account, within reach',
  }),
  /** The GET twin that older clients call. */
  loginAsGet: endpoint('GET', '/login/as/:id', {
    summary: 'Sign in as a customer within reach, for clients that know no POST',
    params: z.object({ id: Id }),
    response: Session,
    can: 'secret.loginAs',
    accept: 'resellerUp',
    audit: 'auth.loginAs',
    mutates: true,
  }),
  logout: endpoint('POST', '/logout', {
    summary: 'End this session, or all of the user',
    response: z.object({ ended: z.int() }),
    can: 'session',
    audit: 'auth.logout',
    body: z.strictObject({ everywhere: z.boolean().optional() }).optional(),
  }),
};
