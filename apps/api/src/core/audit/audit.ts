import { Injectable } from '@nestjs/common';
import type { AuditAction } from '@heliograph/contract';
import { Db } from '../db/db.ts';
import { networkOf, type Visitor } from '../http/visitor.ts';
import { AuditContext, auditContext, type Touched } from './audit-context.ts';
import { difference } from './difference.ts';

export interface AuditFact {
  /** Defaults to the action of the request. */
  action?: string;
  /** The actor, if the request has no session. */
  actorId?: string;
  /** The affected account; defaults to the actor's. */
  OwnerId?: string | null;
  target?: readonly [type: string, id: string | null];
  /** States of the row. Only differing fields are stored, without secrets. */
  before?: object;
  after?: object;
  /** What is changed; by default the title or name of the states. */
  title?: string;
}

/** A row of the table. */
export interface AuditRow {
  action: string;
  actorId?: string | null;
  /** The API token of the request. */
  tokenId?: string | null;
  /** The impersonated user. */
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
 * Writes the audit log. A record is part of the transaction of the change, so neither exists without the other. Actor and
 * client come from the request; jobs and the command line pass them with the fact.
 */
@Injectable()
export class Audit {
  constructor(private readonly db: Db) {}

  async record({ before, after, title, ...fact }: AuditFact): Promise<void> {
    const context = auditContext.getStore();
    const { actor, visitor, requestId } = context ?? {};
    if (context) context.written++;
    const states = difference(before, after);
    if (before && after && !Object.keys(states.after ?? {}).length) return;
    const impersonated = actor?.actorId ? actor.userId : null;
    const OwnerId = fact.OwnerId ?? actor?.OwnerId;
    const { title: own, name } = (after ?? before ?? {}) as { title?: string; name?: string };
    const known = title ?? own ?? name;
    if (context && OwnerId) context.changedOwner = OwnerId;
    if (OwnerId && known) await context?.announce?.(OwnerId, known);
    await this.insert({
      ...fact,
      action: fact.action ?? context?.action ?? 'unknown',
      actorId: actor?.actorId ?? actor?.userId ?? fact.actorId,
      tokenId: actor?.tokenId,
      userId: impersonated,
      OwnerId: fact.OwnerId === undefined ? actor?.OwnerId : fact.OwnerId,
      ...states,
      visitor,
      requestId,
    });
  }

  /** Records of `work` are named as those of another call: a part of this one is what that call does. */
  async as<T>(action: AuditAction, work: () => Promise<T>): Promise<T> {
    const outer = auditContext.getStore();
    if (!outer) return work();
    const { actor, visitor, requestId } = outer;
    const inner = new AuditContext({ audit: action }, action, actor, visitor, requestId);
    const result = await auditContext.run(inner, work);
    outer.written += inner.written;
    return result;
  }

  /** The request continues an earlier one, which has written its record. */
  isRecorded(): void {
    const context = auditContext.getStore();
    if (context) context.written++;
  }

  /** Notes changed rows of another account; they are recorded at the end of the transaction. */
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
    // The record of the service has more detail.
    if (context.written) return;
    for (const { noun, OwnerId, id, count } of touched.values())
      await this.record({ OwnerId, target: [noun, id], ...(count > 1 && { after: { count } }) });
  }

  async insert(row: AuditRow): Promise<void> {
    const { ip, useragent } = row.visitor ?? {};
    await this.db.query(
      `insert into audit_log (action, actor_id, user_id, owner_id, target_type, target_id, before, after, ip, network, useragent, request_id, count, token_id, token_prefix)
       values ($1, $2::uuid, $3, coalesce($4::uuid, case when $13 then (select owner_id from users where id = $2) end), $5, $6, $7, $8, $9, $10, $11, $12, $14, $15::uuid, (select prefix from tokens where id = $15))`,
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
        row.tokenId ?? null,
      ],
    );
  }
}
