import { Injectable } from '@nestjs/common';
import { Db } from '../db/db.ts';
import { networkOf, type Visitor } from '../http/visitor.ts';
import { auditContext, type AuditContext, type Touched } from './audit-context.ts';
import { difference } from './difference.ts';

export interface AuditFact {
  /** The call's own unless said otherwise. */
  action?: string;
  /** Who did it, where nobody is signed in (yet). */
  actorId?: string;
  /** The account that it is about; the actor's unless said otherwise. */
  OwnerId?: string | null;
  target?: readonly [type: string, id: string | null];
  /** States of the row; what differs is kept, without secrets. */
  before?: object;
  after?: object;
}

/** A row of the table. */
export interface AuditRow {
  action: string;
  actorId?: string | null;
  /** In whose name. */
  userId?: string | null;
  OwnerId?: string | null;
  target?: readonly [type: string, id: string | null];
  before?: object | null;
  after?: object | null;
  visitor?: Pick<Visitor, 'ip' | 'useragent'>;
  requestId?: string;
  count?: number;
}

/**
 * Who did what, as whom and from where. A fact is recorded in the transaction that it happens in: neither is there without
 * the other. Who calls from where is known of the call; outside of one (jobs, the command line) the fact says it.
 */
@Injectable()
export class Audit {
  constructor(private readonly db: Db) {}

  record({ before, after, ...fact }: AuditFact): Promise<void> {
    const context = auditContext.getStore();
    const { actor, visitor, requestId } = context ?? {};
    if (context) context.written++;
    const states = difference(before, after);
    if (before && after && !Object.keys(states.after ?? {}).length) return Promise.resolve();
    const borrowed = actor?.actorId ? actor.userId : null;
    return this.insert({
      ...fact,
      action: fact.action ?? context?.action ?? 'unknown',
      actorId: actor?.actorId ?? actor?.userId ?? fact.actorId,
      userId: borrowed,
      OwnerId: fact.OwnerId === undefined ? actor?.OwnerId : fact.OwnerId,
      ...states,
      visitor,
      requestId,
    });
  }

  /** Rows of an account have changed: told at the end of the transaction, where it is not the caller's own account. */
  changed(noun: string, OwnerId: string, id: string | null, count = 1): void {
    const context = auditContext.getStore();
    if (!context?.isForeign(OwnerId)) return;
    const begin = () => new Map<string, Touched>();
    const write = (touched: Map<string, Touched>) => this.writeTouched(context, touched);
    const touched = this.db.beforeCommit(context, begin, write) ?? context.touched;
    const known = touched.get(`${noun} ${OwnerId}`);
    if (known) known.count += count;
    else touched.set(`${noun} ${OwnerId}`, { noun, OwnerId, id, count });
  }

  async writeTouched(context: AuditContext, touched: Map<string, Touched>): Promise<void> {
    // The service has told of it, and knows more.
    if (context.written) return;
    for (const { noun, OwnerId, id, count } of touched.values())
      await this.record({ OwnerId, target: [noun, id], ...(count > 1 && { after: { count } }) });
  }

  async insert(row: AuditRow): Promise<void> {
    const { ip, useragent } = row.visitor ?? {};
    await this.db.query(
      `insert into audit_log (action, actor_id, user_id, owner_id, target_type, target_id, before, after, ip, network, useragent, request_id, count)
       values ($1, $2::uuid, $3, coalesce($4::uuid, case when $13 then (select owner_id from users where id = $2) end), $5, $6, $7, $8, $9, $10, $11, $12, $14)`,
      [
        row.action,
        row.actorId ?? null,
        row.userId ?? null,
        row.OwnerId ?? null,
        row.target?.[0] ?? null,
        row.target?.[1] ?? null,
        row.before ?? null,
        row.after ?? null,
        ip ?? null,
        ip === undefined ? null : networkOf(ip),
        useragent ?? null,
        row.requestId ?? null,
        row.OwnerId === undefined,
        row.count ?? 1,
      ],
    );
  }
}
