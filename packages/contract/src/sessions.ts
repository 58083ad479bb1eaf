import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, OwnerRef, Time } from './fields.ts';
import { listQuery, page } from './list.ts';

/** A session that is open: somebody signed in and has not signed out. */
export const OpenSession = z.object({
  id: Id,
  /** The session of the request. */
  isCurrent: z.boolean(),
  /** Browser and operating system by the user agent; null if they are not known. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  device: z.enum(['desktop', 'mobile', 'tablet', 'other']),
  /** Null in a session opened by login-as by another user. */
  useragent: z.string().nullable(),
  ip: z.string().nullable(),
  /** Place of the sign-in, in English; only with the consent of the user. */
  place: z.object({
    country: z.string().nullable(),
    city: z.string().nullable(),
    isoCode: z.string().nullable(),
  }),
  signedInAt: Time,
  /** Updated at most once a minute. */
  lastUsedAt: Time,
  expiresAt: Time,
  /** The user who opened the session by login-as. */
  Actor: OwnerRef.nullable(),
});
export type OpenSession = z.infer<typeof OpenSession>;

const Ended = z.object({ ended: z.int() });

export const sessions = {
  find: endpoint('GET', '/sessions', {
    query: listQuery({ order: ['lastUsedAt', 'signedInAt'], limit: 20 }),
    response: page(OpenSession),
    can: 'session',
    sessionOnly: true,
    summary: 'List the open sessions of the user, last used first',
  }),
  /** Sessions opened from it by login-as end with it. */
  remove: endpoint('DELETE', '/sessions/:id', {
    params: ById,
    response: Ended,
    can: 'session',
    sessionOnly: true,
    audit: 'sessions.remove',
    summary: 'End a session of the user',
  }),
  removeOthers: endpoint('DELETE', '/sessions', {
    response: Ended,
    can: 'session',
    sessionOnly: true,
    audit: 'sessions.removeOthers',
    summary: 'End all sessions of the user except this one',
  }),
};
