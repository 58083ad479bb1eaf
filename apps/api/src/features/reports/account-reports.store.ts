import { Injectable } from '@nestjs/common';
import type { Page, ReportFailure, reports } from '@heliograph/contract';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Report } from './report.entity.ts';

type WireQuery = In<typeof reports.find>['query'];
/** Without `$preset`, which asks for another answer. */
type Query = Omit<WireQuery, 'filter'> & { filter: Omit<WireQuery['filter'], '$preset'> };

/** One advisory lock for all claims: each sees the reports that were started before it. */
const CLAIM_LOCK = 'reports claim';
/** Reports of an account that are made at the same time. */
const CONCURRENCY_PER_ACCOUNT = 1;
/** Beginnings of a report before it fails: a report that ends its workers must not do so for ever. */
const MAX_ATTEMPTS = 3;
/**
 * How often a report waits for room in the database. To store a file that is made, up to an hour each time and fifteen in all; to read, which may use up
 * the room itself for others, seven minutes in all.
 */
const MAX_POSTPONED = { store: 20, read: 3 };
const MAX_POSTPONED_MINUTES = 60;

/** A claimed report with the fencing token of this attempt. */
export type Claimed = Pick<Report, 'id' | 'lease' | 'OwnerId' | 'UserId'>;

@Injectable()
export class AccountReportsStore extends Store<Report, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'r.createdAt' },
    filter: {
      state: equals('r.state'),
      preset: equals('r.preset'),
      id: equals('r.id'),
      OwnerId: equals('r.owner_id'),
    },
    range: { createdAt: 'r.created_at' },
  };

  constructor(
    db: Db,
    private readonly config: Config,
  ) {
    super(db, Report, 'r');
  }

  override find(scope: AccessScope, query: WireQuery): Promise<Page<Report>> {
    return super.find(scope, query as Query);
  }

  async countUnfinished(OwnerId: string): Promise<number> {
    // Serialises the requests of an account, so that each counts those before it.
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `reports ${OwnerId}`,
    ]);
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from reports where owner_id = $1 and state in ('pending', 'running')`,
      [OwnerId],
    );
    return row!.count;
  }

  /**
   * Starts the oldest report of the account that has none running and was served longest ago. The progress of an earlier attempt
   * stays: it is shown until this one has come further.
   */
  claim(): Promise<Claimed | null> {
    return this.db.transaction(async () => {
      await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [CLAIM_LOCK]);
      const [row] = await this.db.query<Claimed>(
        `with waiting as (
           select distinct on (owner_id) id, owner_id, created_at from reports p
            where state = 'pending' and (lease_until is null or lease_until <= now())
              and (select count(*) from reports o where o.owner_id = p.owner_id and o.state = 'running')
                  < ${CONCURRENCY_PER_ACCOUNT}
            order by owner_id, created_at, id
         ), next as (
           select id from waiting w
            order by (select max(started_at) from reports o where o.owner_id = w.owner_id and o.started_at is not null) nulls first,
                     created_at limit 1
         )
         update reports r set state = 'running', attempts = attempts + 1, lease = lease + 1,
                lease_until = now() + make_interval(secs => $1), started_at = clock_timestamp(), updated_at = now()
           from next n where r.id = n.id and r.state = 'pending'
         returning r.id, r.lease, r.owner_id as "OwnerId", r.user_id as "UserId"`,
        [this.config.LEASE_SECONDS],
      );
      return row ?? null;
    });
  }

  async isWaiting(): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from reports p where state = 'pending' and (lease_until is null or lease_until <= now()) and (select count(*) from reports o
          where o.owner_id = p.owner_id and o.state = 'running') < ${CONCURRENCY_PER_ACCOUNT} limit 1`,
    );
    return found.length > 0;
  }

  /** Renews the lease. False when the report was cancelled or removed, or another worker makes it. */
  async renew(
    { id, lease }: Claimed,
    { rows, total }: { rows: number; total: number | null },
  ): Promise<boolean> {
    const updated = await this.db.execute(
      `update reports set rows = greatest(rows, $3),
              total = case when $4::int is null then total else greatest($4, rows) end,
              lease_until = now() + make_interval(secs => $5), updated_at = now()
        where id = $1 and lease = $2 and state = 'running'`,
      [id, lease, rows, total, this.config.LEASE_SECONDS],
    );
    return updated > 0;
  }

  /** Locks the report for its completion. False when this worker no longer makes it. */
  async fence({ id, lease }: Claimed): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from reports where id = $1 and lease = $2 and state = 'running' for update`,
      [id, lease],
    );
    return rows.length > 0;
  }

  async complete(
    { id }: Claimed,
    made: { rows: number; replaced: number; size: number; expiresAt: Date },
  ): Promise<void> {
    await this.db.query(
      `update reports set state = 'completed', rows = $2, total = $2, replaced = $3, size = $4, expires_at = $5,
              lease_until = null, finished_at = now(), updated_at = now()
        where id = $1`,
      [id, made.rows, made.replaced, made.size, made.expiresAt],
    );
  }

  /** False when this worker no longer makes it. */
  async fail({ id, lease }: Claimed, reason: ReportFailure): Promise<boolean> {
    const updated = await this.db.execute(
      `update reports set state = 'failed', reason = $3, lease_until = null, finished_at = now(), updated_at = now()
        where id = $1 and lease = $2 and state = 'running'`,
      [id, lease, reason],
    );
    return updated > 0;
  }

  /** Returns a report to the queue because its worker stops. It does not count as an attempt. */
  async release({ id, lease }: Claimed): Promise<void> {
    await this.db.query(
      `update reports set state = 'pending', attempts = attempts - 1, lease = lease + 1, lease_until = null
        where id = $1 and lease = $2 and state = 'running'`,
      [id, lease],
    );
  }

  /**
   * Returns a report to the queue for later because the database has no room for this work of it. It does not count as an attempt. False when
   * that was so too often.
   */
  async postpone({ id, lease }: Claimed, work: 'read' | 'store'): Promise<boolean> {
    const updated = await this.db.execute(
      `update reports set state = 'pending', attempts = attempts - 1, postponed = postponed + 1, lease = lease + 1,
              lease_until = now() + make_interval(mins => least(2 ^ postponed, ${MAX_POSTPONED_MINUTES})::int), updated_at = now()
        where id = $1 and lease = $2 and state = 'running' and postponed < $3`,
      [id, lease, MAX_POSTPONED[work]],
    );
    return updated > 0;
  }

  /** Returns a report to the queue after a failure that may pass. False when it has had all of its attempts. */
  async retry({ id, lease }: Claimed): Promise<boolean> {
    const updated = await this.db.execute(
      `update reports set state = 'pending', lease = lease + 1, lease_until = null, updated_at = now()
        where id = $1 and lease = $2 and state = 'running' and attempts < ${MAX_ATTEMPTS}`,
      [id, lease],
    );
    return updated > 0;
  }

  /** Reports whose worker stopped renewing its lease: they are made anew, or fail after their last attempt. */
  reclaim(limit: number): Promise<(Claimed & { state: 'pending' | 'failed' })[]> {
    return this.db.query(
      `update reports set state = case when attempts < ${MAX_ATTEMPTS} then 'pending' else 'failed' end,
              reason = case when attempts < ${MAX_ATTEMPTS} then null else 'interrupted' end,
              finished_at = case when attempts < ${MAX_ATTEMPTS} then null else now() end,
              lease = lease + 1, lease_until = null, updated_at = now()
        where id in (select id from reports where state = 'running' and lease_until < now() limit $1 for update skip locked)
       returning id, lease, owner_id as "OwnerId", user_id as "UserId", state`,
      [limit],
    );
  }

  async cancel(id: string): Promise<boolean> {
    const updated = await this.db.execute(
      `update reports set state = 'cancelled', lease = lease + 1, lease_until = null, finished_at = now(), updated_at = now()
        where id = $1 and state in ('pending', 'running')`,
      [id],
    );
    return updated > 0;
  }
}
