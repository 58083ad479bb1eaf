import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';

export const Username = z
  .string()
  .trim()
  .min(5)
  .max(150)
  .regex(/^[A-Za-z0-9+\-.@_]+$/, 'username');
/** Printable ASCII, 6 to 18 characters. */
export const Password = z
  .string()
  .min(6)
  .max(18)
  .regex(/^[\x20-\x7e]+$/, 'password');

export const Credentials = z.object({
  username: z.string().trim().min(1).max(150),
  password: z.string().min(1).max(150),
});
export type Credentials = z.infer<typeof Credentials>;

export const Session = z.object({ token: z.string(), id: Id, username: z.string() });
export type Session = z.infer<typeof Session>;

export const auth = {
  /** Answers with `x-ratelimit-limit`, `-remaining` and `-reset` (unix seconds), also when it refuses. */
  login: endpoint('POST', '/login', {
    body: Credentials,
    response: Session,
    can: 'public',
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
    summary: 'A session of another account, within reach',
  }),
  /** The GET twin that older clients call. */
  loginAsGet: endpoint('GET', '/login/as/:id', {
    params: z.object({ id: Id }),
    response: Session,
    can: 'secret.loginAs',
    accept: 'resellerUp',
  }),
  logout: endpoint('POST', '/logout', {
    response: z.object({ ended: z.int() }),
    can: 'session',
    body: z.object({ everywhere: z.boolean().optional() }).optional(),
  }),
};
