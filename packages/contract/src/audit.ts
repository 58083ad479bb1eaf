import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, many, OwnerRef, text, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';

const Values = z.record(z.string(), z.unknown());

/** An action that was performed or refused: actor, object, changed values and origin. */
export const AuditRecord = z.object({
  id: Id,
  /** One of `AUDIT_ACTIONS`, or an endpoint name. */
  action: z.string(),
  /** The user who performed the action; null without a session and for the command line. */
  Actor: OwnerRef.nullable(),
  /** The user on whose behalf it was performed, in a session opened by login-as. */
  User: OwnerRef.nullable(),
  /** The API token that it was performed with; the description is null after the token was removed. */
  Token: z
    .object({ id: Id, prefix: z.string().nullable(), description: z.string().nullable() })
    .nullable(),
  /** The affected account. */
  OwnerId: Id.nullable(),
  Owner: OwnerRef.nullish(),
  target: z.object({ type: z.string(), id: z.string().nullable() }).nullable(),
  /** Changed values, without secrets. */
  before: Values.nullable(),
  after: Values.nullable(),
  /** Null for actions of users above the reader's level. */
  ip: z.string().nullable(),
  useragent: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Number of occurrences: identical refusals within a minute share one record. */
  count: z.int(),
  createdAt: Time,
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export const audit = {
  find: endpoint('GET', '/audit', {
    query: listQuery({
      order: ['createdAt'],
      filter: {
        action: many(text(60)),
        ActorId: Id,
        OwnerId: Id,
        id: many(Id),
        /** For IPv6, the whole /64 network matches. */
        ip: trimmed(45),
      },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(AuditRecord),
    can: 'audit.find',
    owner: 'read',
    summary: 'List audit records of an account',
  }),
};
