import { MAX_PASSWORD_LENGTH, PASSWORD_LIMITS } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, trimmed, lines } from './fields.ts';
import { FactorCode } from './second-factor.ts';

export const Username = trimmed(150)
  .min(5)
  .regex(
    /^[A-Za-z0-9+\-.@_]+$/,
    'The username may contain only Latin letters, digits and + - . @ _.',
  );
/** A new password, printable ASCII. An installation may set narrower length limits (`Frontend.password`). */
export const Password = lines(MAX_PASSWORD_LENGTH)
  .min(PASSWORD_LIMITS.min)
  .regex(/^[\x20-\x7e]+$/, 'The password may contain only Latin letters, digits and punctuation.');

export const Credentials = z.strictObject({
  username: trimmed(150).min(1),
  password: lines(150).min(1),
  /** Client programs of this API family name the kind of account. There is one. */
  type: z.literal('local').optional(),
  /** For an account with a second factor: a code of the app, or a recovery code. */
  code: FactorCode.optional(),
});
export type Credentials = z.infer<typeof Credentials>;

export const Session = z.object({ token: z.string(), id: Id, username: z.string() });
export type Session = z.infer<typeof Session>;

export const auth = {
  /**
   * Successful and failed responses have the headers `x-ratelimit-limit`, `-remaining` and `-reset` (Unix seconds). 401
   * `second_factor_required` after a right password if the account has a second factor and the call has no `code`.
   */
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
    cost: 'setting',
    response: Session,
    can: 'session',
    sessionOnly: true,
    beforeSecondFactor: true,
    summary: 'Renew the session',
  }),
  loginAs: endpoint('POST', '/login/as/:id', {
    params: z.object({ id: Id }),
    response: Session,
    can: 'secret.loginAs',
    sessionOnly: true,
    accept: 'resellerUp',
    audit: 'auth.loginAs',
    summary: 'Sign in as another user',
  }),
  /** GET alias for older clients. */
  loginAsGet: endpoint('GET', '/login/as/:id', {
    summary: 'Sign in as another user, for clients that cannot send POST',
    params: z.object({ id: Id }),
    response: Session,
    can: 'secret.loginAs',
    sessionOnly: true,
    accept: 'resellerUp',
    audit: 'auth.loginAs',
    mutates: true,
  }),
  logout: endpoint('POST', '/logout', {
    summary: 'End this session or all sessions of the user',
    response: z.object({ ended: z.int() }),
    can: 'session',
    sessionOnly: true,
    beforeSecondFactor: true,
    audit: 'auth.logout',
    body: z.strictObject({ everywhere: z.boolean().optional() }).optional(),
  }),
};
