import { Injectable } from '@nestjs/common';
import { MAX_AUTOMATIONS, type automations } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Automation } from './automation.entity.ts';

type Query = In<typeof automations.find>['query'];

export const AUTOMATIONS_QUOTA: Quota = {
  name: 'automations',
  limit: () => MAX_AUTOMATIONS,
  used: countOf('automations'),
};

/** Of an account that is active. */
const RUNS = `a.is_active and exists (select 1 from users u where u.id = a.owner_id and u.is_active)`;

/** Its list, its segment or a template of it was removed. */
const LACKS = `(a.trigger->>'ListId' is not null and not exists (select 1 from contact_lists l where l.id = (a.trigger->>'ListId')::uuid)
  or a.trigger->>'SegmentId' is not null and not exists (select 1 from segments s where s.id = (a.trigger->>'SegmentId')::uuid)
  or exists (select 1 from jsonb_array_elements(a.steps) step where step->>'TemplateId' is not null
                and not exists (select 1 from templates t where t.id = (step->>'TemplateId')::uuid)))`;

@Injectable()
export class AutomationsStore extends Store<Automation, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'a.createdAt', title: 'a.title' },
    filter: { OwnerId: equals('a.owner_id') },
    range: { createdAt: 'a.created_at' },
  };

  constructor(db: Db) {
    super(db, Automation, 'a');
  }

  /** A row as a whole: a merge would keep parts of a trigger that are no longer wanted. */
  async replace(row: Automation): Promise<void> {
    await this.db.manager.getRepository(Automation).save(row);
  }

  pauseAll(OwnerId: string): Promise<number> {
    return this.db.execute(
      `update automations set is_active = false, reason = null, next_scan_at = null, scan_at = null, scan_list = null, scan_after = null, updated_at = now()
        where owner_id = $1 and is_active`,
      [OwnerId],
    );
  }

  /** Automations with people whose next step is due, those that are due longest first. */
  async due(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select a.id from automations a cross join lateral (
         select r.due_at from automation_runs r where r.automation_id = a.id and r.due_at <= $1 order by r.due_at limit 1) d
        where ${RUNS} order by d.due_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Automations that look for people now. */
  async scanning(now: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select a.id from automations a where a.next_scan_at <= $1 and ${RUNS} order by a.next_scan_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks one that runs, unless another worker has it. People can enter meanwhile. */
  async lockRunning(id: string): Promise<Automation | null> {
    return this.db.manager
      .getRepository(Automation)
      .createQueryBuilder('a')
      .where(`a.id = :id and ${RUNS}`, { id })
      .setLock('for_no_key_update')
      .setOnLocked('skip_locked')
      .getOne();
  }

  /** It is looked at by `lockLacking`: what it needs may be removed while it is started. */
  async noteStart(id: string): Promise<void> {
    await this.db.query(
      `insert into automations_lacking (automation_id) values ($1) on conflict do nothing`,
      [id],
    );
  }

  /**
   * Looks at some of those that have lost something since they were looked at last, or were started, and that no other worker has locked. Locks
   * them, and returns those that lack what they are about.
   */
  async lockLacking(limit: number): Promise<{ rows: Automation[]; isMore: boolean }> {
    const noted = await this.db.query<{ id: string }>(
      `with noted as (
         select a.id from automations_lacking k join automations a on a.id = k.automation_id
          order by a.id limit $1 for no key update of a skip locked
       ), seen as (delete from automations_lacking k using noted n where k.automation_id = n.id)
       select id from noted`,
      [limit],
    );
    const ids = noted.map(({ id }) => id);
    const rows = await this.db.manager
      .getRepository(Automation)
      .createQueryBuilder('a')
      .where(`a.id = any(:ids) and a.is_active and ${LACKS}`, { ids })
      .orderBy('a.id')
      .getMany();
    return { rows, isMore: ids.length === limit };
  }

  /** Those of an account that listen to incoming messages. */
  listening(OwnerId: string): Promise<Automation[]> {
    return this.db.manager
      .getRepository(Automation)
      .createQueryBuilder('a')
      .where(`a.owner_id = :OwnerId and a.is_active and a.trigger->>'when' = 'keyword'`, {
        OwnerId,
      })
      .orderBy('a.id')
      .getMany();
  }
}
