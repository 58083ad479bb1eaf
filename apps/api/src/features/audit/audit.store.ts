import { Injectable } from '@nestjs/common';
import type { audit, OwnerRef, Page } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { byOwner } from '../../core/db/by-owner.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  findIds,
  idTime,
  inOrder,
  type ListSql,
} from '../../core/db/find-page.ts';
import type { In } from '../../core/http/endpoint.ts';
import { networkOf } from '../../core/http/visitor.ts';

type Query = In<typeof audit.find>['query'];

export interface AuditLogRow {
  id: string;
  action: string;
  Actor: OwnerRef | null;
  /** The account of the actor. */
  actorOwnerId: string | null;
  User: OwnerRef | null;
  Token: { id: string; prefix: string | null; description: string | null } | null;
  OwnerId: string | null;
  Owner: OwnerRef | null;
  targetType: string | null;
  targetId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  useragent: string | null;
  requestId: string | null;
  count: number;
  createdAt: Date;
}

const LIST: ListSql<Omit<Query, 'filter'> & { filter: Omit<Query['filter'], 'OwnerId'> }> = {
  order: { createdAt: 'r.id' },
  filter: {
    action: equals('r.action'),
    ActorId: equals('r.actor_id'),
    id: equals('r.id'),
    ip: (ip, bind) => `r.network = ${bind(networkOf(ip))}`,
  },
  range: { createdAt: idTime('r.id') },
};

/** A user reference as JSON, or null. */
const userRef = (alias: string) =>
  `case when ${alias}.id is not null then jsonb_build_object('id', ${alias}.id, 'username', ${alias}.username) end`;

@Injectable()
export class AuditStore {
  constructor(private readonly db: Db) {}

  /** Reads along the index of the filter, or else owner by owner. */
  async find(scope: AccessScope, query: Query): Promise<Page<AuditLogRow>> {
    const { OwnerId, ...filter } = query.filter;
    const along =
      scope.kind === 'all' || filter.ActorId || filter.ip || filter.id ? 'rows' : 'owners';
    const { page, ...numbers } = await findIds(this.db, query, (bind, take) => {
      const rows = conditions(LIST, { ...query, filter }, bind);
      return byOwner({ scope, OwnerId, column: 'r.owner_id', along }, bind, (within) => {
        const where = [within, ...rows].join(' and ');
        return `(select r.id from audit_log r where ${where} order by r.id ${query.order[0]!.direction} limit ${take})`;
      });
    });
    return { data: inOrder(page, await this.byIds(scope, page)), ...numbers };
  }

  /** Until the end of the transaction: a trigger refuses deletes without this setting. */
  async allowDeletes(): Promise<void> {
    await this.db.query(`select set_config('heliograph.retention', 'on', true)`);
  }

  private byIds(scope: AccessScope, ids: string[]): Promise<AuditLogRow[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 'r.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<AuditLogRow>(
      `select r.id, r.action, ${userRef('a')} as "Actor", a.owner_id as "actorOwnerId", ${userRef('u')} as "User",
              case when r.token_id is not null then jsonb_build_object('id', r.token_id, 'prefix', r.token_prefix, 'description', t.description) end as "Token",
              r.owner_id as "OwnerId", ${userRef('o')} as "Owner", r.target_type as "targetType", r.target_id as "targetId",
              r.before, r.after, r.ip, r.useragent, r.request_id as "requestId", r.count, uuid_extract_timestamp(r.id) as "createdAt"
         from audit_log r left join users a on a.id = r.actor_id left join users u on u.id = r.user_id
         left join users o on o.id = r.owner_id left join tokens t on t.id = r.token_id
        where r.id = any($1) and ${within}`,
      values,
    );
  }
}
