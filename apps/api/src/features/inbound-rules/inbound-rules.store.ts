import { Injectable } from '@nestjs/common';
import type { inboundRules } from '@heliograph/contract';
import { MAX_INBOUND_RULES, type InboundHold } from '@heliograph/domain';
import { ownScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { InboundRule } from './inbound-rule.entity.ts';

type Query = In<typeof inboundRules.find>['query'];

export const INBOUND_RULES_QUOTA: Quota = {
  name: 'inboundRules',
  limit: () => MAX_INBOUND_RULES,
  used: countOf('inbound_rules'),
};

/** What messages have added to the counters of a rule. */
export interface RuleCounts {
  matched: number;
  /** Messages for people of the account. */
  tasks: number;
  replies: number;
  held: Partial<Record<InboundHold, number>>;
  /** The last of `held`. */
  hold: InboundHold | null;
}

@Injectable()
export class InboundRulesStore extends Store<InboundRule, Query> {
  protected readonly list: ListSql<Query> = {
    order: { position: 'r.position', createdAt: 'r.createdAt', title: 'r.title' },
    filter: { OwnerId: equals('r.owner_id') },
    range: {},
    search: contains('r.title'),
  };

  constructor(db: Db) {
    super(db, InboundRule, 'r');
  }

  /** The rules of an account in their order. */
  ofOwner(OwnerId: string, { isActive }: { isActive?: true } = {}): Promise<InboundRule[]> {
    const rows = this.rows(ownScope(OwnerId));
    if (isActive) rows.andWhere('r.is_active');
    return rows.orderBy('r.position').addOrderBy('r.id').getMany();
  }

  async nextPosition(OwnerId: string): Promise<number> {
    const [row] = await this.db.query<{ position: number }>(
      `select coalesce(max(position), 0) + 1 as position from inbound_rules where owner_id = $1`,
      [OwnerId],
    );
    return row!.position;
  }

  /** Numbers the rules by the order of `ids`. */
  async reorder(OwnerId: string, ids: string[]): Promise<void> {
    await this.db.query(
      `update inbound_rules r set position = o.n, updated_at = now()
         from unnest($2::uuid[]) with ordinality o(id, n) where r.id = o.id and r.owner_id = $1 and r.position <> o.n`,
      [OwnerId, ids],
    );
  }

  async count(counts: Map<string, RuleCounts>, at: Date): Promise<void> {
    const all = [...counts.values()];
    await this.db.query(
      `update inbound_rules r
          set matched = r.matched + c.matched, matched_at = case when c.matched > 0 then $7 else r.matched_at end,
              unnotified = r.unnotified + c.tasks, replies = r.replies + c.replies,
              held = r.held || coalesce((select jsonb_object_agg(h.key, coalesce((r.held->>h.key)::int, 0) + h.value::int)
                                           from jsonb_each_text(c.held) h), '{}'),
              hold = coalesce(c.hold, r.hold), held_at = case when c.hold is null then r.held_at else $7 end
         from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::jsonb[], $6::text[])
              c(id, matched, tasks, replies, held, hold)
        where r.id = c.id`,
      [
        [...counts.keys()],
        all.map((c) => c.matched),
        all.map((c) => c.tasks),
        all.map((c) => c.replies),
        all.map((c) => JSON.stringify(c.held)),
        all.map((c) => c.hold),
        at,
      ],
    );
  }

  /** Rules with messages of which nobody is notified yet, unless somebody was since `since`; they are notified now. */
  takeUnnotified(
    since: Date,
    now: Date,
  ): Promise<{ id: string; OwnerId: string; title: string; count: number }[]> {
    return this.db.query(
      `with due as (
         select id, unnotified as count from inbound_rules
          where unnotified > 0 and (notified_at is null or notified_at <= $1) for update skip locked
       ), taken as (
         update inbound_rules r set unnotified = 0, notified_at = $2 from due where r.id = due.id
         returning r.id, r.owner_id as "OwnerId", r.title, due.count)
       select * from taken`,
      [since, now],
    );
  }
}
