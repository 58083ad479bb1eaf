import { Injectable } from '@nestjs/common';
import { TEST_CHANNEL, type channels } from '@heliograph/contract';
import {
  BATCH_STAGES,
  limitKey,
  type ChannelLimits,
  type ChannelUse,
  type MessageLimit,
  type SendingType,
} from '@heliograph/domain';
import type { ChannelSettings } from '../../channels/channel.ts';
import { Db, violated } from '../../core/db/db.ts';
import { conditions, contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { invalid, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';

type Query = In<typeof channels.find>['query'];

/** A stored channel, with its secrets. */
export interface ChannelRow extends ChannelSettings, ChannelLimits {
  types: SendingType[];
  isActive: boolean;
  priority: number;
  /** Of some senders and destinations. */
  limits: MessageLimit[];
  /** It carries only sender names that are registered there. */
  needsRegistration: boolean;
  updatedAt: Date;
}
export type NewChannel = Omit<ChannelRow, 'revision' | 'updatedAt'>;

/** A channel with its health. */
export interface ChannelWithState extends ChannelRow {
  failingSince: Date | null;
  error: string | null;
  errorAt: Date | null;
  submitted: number;
  submittedAt: Date | null;
  reportedAt: Date | null;
  /** Null for a channel without. */
  sessions: { worker: string | null; connectedAt: string | null; error: string | null }[] | null;
}

/** Changes of a channel's state; null where nothing changed. */
export interface ChannelStateChange extends Omit<
  ChannelWithState,
  keyof ChannelRow | 'failingSince' | 'sessions'
> {
  channel: string;
  /** Whether the last submit failed; null when there was none. */
  isFailing: boolean | null;
}

const LIST: ListSql<Query> = {
  order: { priority: 'c.priority', name: 'c.name' },
  filter: {
    type: (types, bind) => `c.types && ${bind(types)}::text[]`,
    isActive: equals('c.is_active'),
  },
  range: {},
  search: contains('c.name'),
};

const CLEANUP_BATCH_SIZE = 500;
/** Waiting batches that are counted for a page. */
const MAX_LOOKED = 20_000;
const FIRST_PRIORITY = 1000;
const COLUMNS = `name, driver, types, is_active as "isActive", priority, options, rate, burst, per_day as "perDay", warm_up as "warmUp", limits, needs_registration as "needsRegistration", revision, updated_at as "updatedAt"`;

/** Channels belong to the installation, not to an account. */
@Injectable()
export class ChannelsStore {
  constructor(private readonly db: Db) {}

  all(): Promise<ChannelRow[]> {
    return this.db.query<ChannelRow>(
      `select ${COLUMNS} from channels where removed_at is null order by priority desc, name`,
    );
  }

  /** A channel with the driver of its name, before all others of its type. False if the name is in use. */
  async addMissing(name: string, type: SendingType): Promise<boolean> {
    const added = await this.db.execute(
      `insert into channels (name, driver, types, options, priority) values ($1, $1, array[$2], '{}', ${FIRST_PRIORITY})
       on conflict (name) do nothing`,
      [name, type],
    );
    return added > 0;
  }

  /** All matching channels, unpaged: an installation has a few dozen. */
  find(query: Query): Promise<ChannelWithState[]> {
    const values: unknown[] = [];
    const where = conditions(LIST, query, (value) => `$${values.push(value)}`);
    const order = query.order.map(({ field, direction }) => `${LIST.order[field]} ${direction}`);
    return this.withState(where, values, order);
  }

  async getWithState(name: string): Promise<ChannelWithState> {
    const [row] = await this.withState(['c.name = $1'], [name]);
    if (!row) throw notFound();
    return row;
  }

  private withState(
    where: string[],
    values: unknown[],
    order: string[] = [],
  ): Promise<ChannelWithState[]> {
    return this.db.query<ChannelWithState>(
      `select ${COLUMNS}, s.failing_since as "failingSince", s.error, s.error_at as "errorAt", coalesce(s.submitted, 0)::float8 as submitted,
              s.submitted_at as "submittedAt", s.reported_at as "reportedAt",
              (select json_agg(json_build_object('worker', e.worker, 'connectedAt', e.connected_at, 'error', e.error) order by e.slot)
                 from channel_sessions e where e.channel = c.name) as sessions
         from channels c left join channel_states s on s.channel = c.name
        where ${['c.removed_at is null', `c.name <> '${TEST_CHANNEL}'`, ...where].join(' and ')} order by ${[...order, 'c.name'].join(', ')}`,
      values,
    );
  }

  /** What waits for a channel and is being submitted; whether it is left alone. */
  async queueOf(
    name: string,
    now: Date,
  ): Promise<{ waiting: number; inFlight: number; failures: number; pausedUntil: Date | null }> {
    const [row] = await this.db.query<{
      waiting: number;
      inFlight: number;
      failures: number;
      pausedUntil: Date | null;
    }>(
      `select (select coalesce(sum(b.size), 0)::float8 from (select size from batches where stage = ${BATCH_STAGES.pending} and channel = c.name and due_at <= $2 limit ${MAX_LOOKED}) b) as waiting,
              (select coalesce(sum(size), 0)::float8 from batches where stage in (${BATCH_STAGES.leased}, ${BATCH_STAGES.submitting}) and channel = c.name) as "inFlight",
              coalesce(s.failures, 0) as failures, case when s.failures > 0 and s.open_until > $2 then s.open_until end as "pausedUntil"
         from channels c left join channel_states s on s.channel = c.name where c.name = $1`,
      [name, now],
    );
    return row!;
  }

  /** What is used of each limit by its key, and the messages that are due by the limits that their batches are marked with. */
  async limitStates(
    name: string,
    version: string,
    now: Date,
  ): Promise<{ uses: ReadonlyMap<string, ChannelUse>; waiting: { mark: string; size: number }[] }> {
    const uses = await this.db.query<ChannelUse & { key: string }>(
      `select key, full_at as "fullAt", use_rate as rate, coalesce(used_on::text, '') as day, used::float8 as used, 0 as days from channel_limit_uses where channel = $1`,
      [name],
    );
    const waiting = await this.db.query<{ mark: string; size: number }>(
      `select b.limits as mark, sum(b.size)::float8 as size from (
         select limits, size from batches where stage = ${BATCH_STAGES.pending} and channel = $1 and due_at <= $3 limit ${MAX_LOOKED}) b
        where b.limits like $2 || ':%' group by b.limits`,
      [name, version, now],
    );
    return { uses: new Map(uses.map(({ key, ...use }) => [key, use])), waiting };
  }

  async addChanges(changes: ChannelStateChange[]): Promise<void> {
    await this.db.query(
      `insert into channel_states as s (channel, failing_since, error, error_at, submitted, submitted_at, reported_at)
       select n.channel, case when n.failing then n.error_at end, n.error, n.error_at, n.submitted, n.submitted_at, n.reported_at
         from unnest($1::text[], $2::boolean[], $3::text[], $4::timestamptz[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])
           as n(channel, failing, error, error_at, submitted, submitted_at, reported_at)
         join channels c on c.name = n.channel
        order by n.channel
       on conflict (channel) do update set
         -- A success ends the failure; a process without submits does not change it.
         failing_since = case when excluded.failing_since is not null then coalesce(s.failing_since, excluded.failing_since)
                              when excluded.submitted_at is null then s.failing_since end,
         error = coalesce(excluded.error, s.error), error_at = coalesce(excluded.error_at, s.error_at),
         submitted = s.submitted + excluded.submitted, submitted_at = greatest(s.submitted_at, excluded.submitted_at),
         reported_at = greatest(s.reported_at, excluded.reported_at)`,
      [
        changes.map((c) => c.channel),
        changes.map((c) => c.isFailing),
        changes.map((c) => c.error),
        changes.map((c) => c.errorAt),
        changes.map((c) => c.submitted),
        changes.map((c) => c.submittedAt),
        changes.map((c) => c.reportedAt),
      ],
    );
  }

  /**
   * Counts a failed call and returns how many failed in a row; null when the channel was down already and the call was not its probe.
   * Locks the row until the transaction ends.
   */
  async countFailure(channel: string, isProbe: boolean, now: Date): Promise<number | null> {
    const [row] = await this.db.query<{ failures: number }>(
      `insert into channel_states as s (channel, failures, opened_at, failing_since)
       select name, 1, $3, $3 from channels where name = $1
       on conflict (channel) do update set failures = least(s.failures + 1, 1000), opened_at = $3, failing_since = coalesce(s.failing_since, $3)
        where s.opened_at is null or $2 returning failures`,
      [channel, isProbe, now],
    );
    return row?.failures ?? null;
  }

  async leaveAlone(channel: string, until: Date): Promise<void> {
    await this.db.query(`update channel_states set open_until = $2 where channel = $1`, [
      channel,
      until,
    ]);
  }

  async clearFailures(channel: string): Promise<void> {
    await this.db.query(
      `update channel_states set failures = 0, opened_at = null, open_until = null, failing_since = null where channel = $1`,
      [channel],
    );
  }

  /** Unless calls fail: then it is left alone. */
  async clearError(channel: string): Promise<void> {
    await this.db.query(
      `update channel_states set failing_since = null where channel = $1 and failures = 0 and failing_since is not null`,
      [channel],
    );
  }

  /** Whether batches wait for the channel, for its reports, or for a poll. */
  async isInUse(name: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from batches where channel = $1 and closed_at is null
       union all select 1 from batches where channel = $1 and poll_at is not null limit 1`,
      [name],
    );
    return rows.length > 0;
  }

  /** Keeps the name, so that it is not reused, and deletes all settings with their former revisions. */
  async remove(name: string): Promise<void> {
    await this.db.query(
      `update channels set removed_at = now(), is_active = false, options = '{}', rate = null, burst = null, per_day = null, warm_up = null, limits = '[]' where name = $1`,
      [name],
    );
    await this.db.query(`delete from channel_revisions where channel = $1`, [name]);
    await this.db.query(`delete from channel_states where channel = $1`, [name]);
    await this.db.query(`delete from channel_sessions where channel = $1`, [name]);
    for (const table of [
      'channel_minutes',
      'channel_receipts',
      'channel_alarms',
      'channel_exchanges',
      'channel_sendernames',
      'channel_chats',
      'channel_answers',
      'channel_limit_uses',
    ])
      await this.db.query(`delete from ${table} where channel = $1`, [name]);
  }

  /** A former revision of a channel's settings, kept while batches are polled with it. */
  async former(revision: number): Promise<ChannelSettings | undefined> {
    const [row] = await this.db.query<ChannelSettings>(
      `select channel as name, driver, options, revision from channel_revisions where revision = $1`,
      [revision],
    );
    return row;
  }

  async create(channel: NewChannel): Promise<ChannelRow> {
    const { name, driver, types, isActive, priority, options, rate, burst, perDay, warmUp } =
      channel;
    const { limits, needsRegistration } = channel;
    const [row] = await this.db
      .query<ChannelRow>(
        `insert into channels (name, driver, types, is_active, priority, options, rate, burst, per_day, warm_up, needs_registration, limits) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${COLUMNS}`,
        [
          name,
          driver,
          types,
          isActive,
          priority,
          options,
          rate,
          burst,
          perDay,
          warmUp,
          needsRegistration,
          JSON.stringify(limits),
        ],
      )
      .catch((error: unknown) => {
        if (violated(error) === 'channels_pkey')
          throw invalid('name', 'unique', 'This name is taken already.');
        throw error;
      });
    return row!;
  }

  /** `next` returns the new row, or throws. */
  update(name: string, next: (row: ChannelRow) => ChannelRow): Promise<ChannelRow> {
    return this.db.transaction(async () => {
      const changed = next(await this.get(name, 'for update'));
      const { types, isActive, priority, options, rate, burst, perDay, warmUp } = changed;
      const [saved] = await this.db.query<ChannelRow>(
        `update channels set types = $2, is_active = $3, priority = $4, options = $5, rate = $6, burst = $7, per_day = $8, warm_up = $9, needs_registration = $10, limits = $11, updated_at = now() where name = $1 returning ${COLUMNS}`,
        [
          name,
          types,
          isActive,
          priority,
          options,
          rate,
          burst,
          perDay,
          warmUp,
          changed.needsRegistration,
          JSON.stringify(changed.limits),
        ],
      );
      // What was used lately of a removed limit counts if it is set again, and for workers that have read the list before.
      await this.db.query(
        `delete from channel_limit_uses where channel = $1 and key <> all($2) and used_on < current_date - 1`,
        [name, changed.limits.map(limitKey)],
      );
      return saved!;
    });
  }

  async get(name: string, lock: '' | 'for update' = ''): Promise<ChannelRow> {
    const [row] = await this.db.query<ChannelRow>(
      `select ${COLUMNS} from channels where name = $1 and removed_at is null ${lock}`,
      [name],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Revisions are kept for an hour at least, which is longer than a submit that started with them takes. */
  async removeFormer(): Promise<boolean> {
    const removed = await this.db.execute(
      `delete from channel_revisions where revision in (
         select revision from channel_revisions r where superseded_at < now() - interval '1 hour'
            and not exists (select 1 from batches b where b.poll_at is not null and b.channel_revision = r.revision)
          order by revision limit ${CLEANUP_BATCH_SIZE})`,
    );
    return removed === CLEANUP_BATCH_SIZE;
  }
}
