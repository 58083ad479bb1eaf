import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, many, OwnerRef, text, Time, trimmed } from './fields.ts';
import { listQuery, page } from './list.ts';

const Values = z.record(z.string(), z.unknown());

/** Something that was done or refused: who, as whom, what, before and after, from where. */
export const AuditRecord = z.object({
  id: Id,
  /** One of `AUDIT_ACTIONS`, or the name of an endpoint. */
  action: z.string(),
  /** Who did it; null when nobody was signed in, and for the command line. */
  Actor: OwnerRef.nullable(),
  /** In whose name, where the actor had borrowed the session. */
  User: OwnerRef.nullable(),
  /** The account that it is about. */
  OwnerId: Id.nullable(),
  Owner: OwnerRef.nullish(),
  target: z.object({ type: z.string(), id: z.string().nullable() }).nullable(),
  /** What differs, without secrets. */
  before: Values.nullable(),
  after: Values.nullable(),
  /** Null where the reader may not know: of a superior. */
  ip: z.string().nullable(),
  useragent: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Refusals of one kind within a minute are one record. */
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
        /** An address; of an IPv6 one all of its /64. */
        ip: trimmed(45),
      },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(AuditRecord),
    can: 'audit.find',
    owner: 'read',
    summary: 'What was done in the account, by whom and from where',
  }),
};
