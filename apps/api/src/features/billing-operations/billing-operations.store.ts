import { Injectable } from '@nestjs/common';
import type { BillingOperation } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import { uuidFloor, uuidTime } from '../../core/uuid.ts';

export interface OperationRecord extends Pick<
  BillingOperation,
  | 'id'
  | 'state'
  | 'filename'
  | 'hash'
  | 'sheet'
  | 'rows'
  | 'ready'
  | 'repeated'
  | 'reasons'
  | 'sums'
  | 'ReportId'
  | 'OwnerId'
> {
  UserId: string;
  locale: Locale;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export type NewOperation = Pick<
  OperationRecord,
  'id' | 'OwnerId' | 'UserId' | 'filename' | 'hash' | 'sheet'
>;

/** A claimed operation with the fencing token of this attempt. */
export type Claimed = Pick<OperationRecord, 'id' | 'OwnerId' | 'UserId' | 'filename' | 'locale'> & {
  lease: number;
};

/** Previews of an account that are not started; older ones are deleted. */
const MAX_PREVIEWS = 10;
const DELETE_BATCH_SIZE = 20;

const COLUMNS = `o.id, o.state, o.filename, o.hash, o.sheet, o.locale, o.rows, o.ready, o.repeated, o.reasons, o.sums, o.report_id as "ReportId",
  o.owner_id as "OwnerId", o.user_id as "UserId", o.started_at as "startedAt", o.finished_at as "finishedAt"`;

@Injectable()
export class BillingOperationsStore {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
  ) {}

  async create({ id, OwnerId, UserId, filename, hash, sheet }: NewOperation): Promise<void> {
    await this.db.query(
      `insert into billing_operations (id, owner_id, user_id, filename, hash, sheet) values ($1, $2, $3, $4, $5, $6)`,
      [id, OwnerId, UserId, filename, hash, sheet],
    );
  }

  async summarise(
    id: string,
    {
      rows,
      ready,
      repeated,
      reasons,
      sums,
    }: Pick<OperationRecord, 'rows' | 'ready' | 'repeated' | 'reasons' | 'sums'>,
  ): Promise<void> {
    await this.db.query(
      `update billing_operations set rows = $2, ready = $3, repeated = $4, reasons = $5, sums = $6 where id = $1`,
      [id, rows, ready, repeated, reasons, JSON.stringify(sums)],
    );
  }

  get(scope: AccessScope, id: string): Promise<OperationRecord> {
    return this.read(scope, id, '');
  }

  lock(scope: AccessScope, id: string): Promise<OperationRecord> {
    return this.read(scope, id, 'for update');
  }

  /** The last started operation of the account from the same contents. */
  async previous({
    id,
    OwnerId,
    hash,
  }: OperationRecord): Promise<{ id: string; startedAt: Date } | null> {
    const [row] = await this.db.query<{ id: string; startedAt: Date }>(
      `select id, started_at as "startedAt" from billing_operations
        where owner_id = $1 and hash = $2 and state <> 'previewed' and id <> $3 order by started_at desc, id desc limit 1`,
      [OwnerId, hash, id],
    );
    return row ?? null;
  }

  async start(id: string, UserId: string, locale: Locale, now: Date): Promise<void> {
    await this.db.query(
      `update billing_operations set state = 'running', user_id = $2, locale = $3, started_at = $4 where id = $1`,
      [id, UserId, locale, now],
    );
  }

  /** Deletes the older previews of an account. Skips one that is being started. */
  async deletePreviews(OwnerId: string): Promise<void> {
    await this.db.query(
      `delete from billing_operations where state = 'previewed' and id in (
         select id from billing_operations where owner_id = $1 and state = 'previewed' order by id desc offset ${MAX_PREVIEWS} for update skip locked)`,
      [OwnerId],
    );
  }

  /** Deletes previews that were not started until a moment. Returns true if there are more. */
  async deleteOlder(before: Date): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from billing_operations where id in (select id from billing_operations where state = 'previewed' and id < $1
         order by id limit ${DELETE_BATCH_SIZE} for update skip locked)`,
      [uuidFloor(before)],
    );
    return deleted === DELETE_BATCH_SIZE;
  }

  /** Leases the oldest operation that no worker processes. A paused one waits. */
  async claim(): Promise<Claimed | null> {
    const [row] = await this.db.query<Claimed>(
      `update billing_operations o set lease = o.lease + 1, lease_until = now() + make_interval(secs => $1)
        where o.id = (${CLAIMABLE} order by p.id limit 1 for update of p skip locked)
       returning o.id, o.lease, o.owner_id as "OwnerId", o.user_id as "UserId", o.filename, o.locale`,
      [this.config.LEASE_SECONDS],
    );
    return row ?? null;
  }

  async isWaiting(): Promise<boolean> {
    return (await this.db.query(`${CLAIMABLE} limit 1`)).length > 0;
  }

  /** Renews the lease and locks the operation. False when another worker has taken it over. */
  async renew({ id, lease }: Claimed): Promise<boolean> {
    const renewed = await this.db.execute(
      `update billing_operations set lease_until = now() + make_interval(secs => $3)
        where id = $1 and lease = $2 and state = 'running'`,
      [id, lease, this.config.LEASE_SECONDS],
    );
    return renewed > 0;
  }

  /** Another worker may continue at once. */
  async release({ id, lease }: Claimed): Promise<void> {
    await this.db.query(
      `update billing_operations set lease = lease + 1, lease_until = null where id = $1 and lease = $2 and state = 'running'`,
      [id, lease],
    );
  }

  async finish({ id }: Claimed, reportId: string, now: Date): Promise<void> {
    await this.db.query(
      `update billing_operations set state = 'finished', report_id = $2, lease_until = null, finished_at = $3 where id = $1`,
      [id, reportId, now],
    );
  }

  private async read(scope: AccessScope, id: string, lock: string): Promise<OperationRecord> {
    const values: unknown[] = [id];
    const within = scopeSql(scope, 'o.owner_id', (value) => `$${values.push(value)}`);
    const [row] = await this.db.query<OperationRecord>(
      `select ${COLUMNS} from billing_operations o where o.id = $1 and ${within} ${lock}`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }
}

const CLAIMABLE = `select p.id from billing_operations p join tasks t on t.id = p.id
  where p.state = 'running' and (p.lease_until is null or p.lease_until < now()) and t.state <> 'paused'`;

export function presentOperation(
  { UserId: _, locale: __, startedAt, finishedAt, ...row }: OperationRecord,
  previous: { id: string; startedAt: Date } | null,
): BillingOperation {
  return {
    ...row,
    previous: previous && { id: previous.id, startedAt: previous.startedAt.toISOString() },
    createdAt: uuidTime(row.id).toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
