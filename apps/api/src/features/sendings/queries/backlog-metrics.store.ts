import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BATCH_STAGES } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { PRIORITIES } from '../priorities.ts';

const MEASURED_PRIORITIES = ['code', 'single', 'bulk'] as const;
const TASK_STATES = ['scheduled', 'running', 'paused'];
const IS_TASK_ACTIVE = `(task_id is null or exists (select 1 from tasks t where t.id = task_id and t.state in ('running', 'completed')))`;

interface ChannelValue {
  labels: { channel: string };
  value: number;
}

/** Gauges of the backlog, read from the database: every process reports the same values. */
@Injectable()
export class BacklogMetricsStore implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'submit_lag_seconds',
      'Age of the oldest batch that could be submitted',
      ['priority'],
      () => this.submitLag(),
    );
    this.metrics.gauge(
      'channel_waiting_messages',
      'Messages that an active channel could submit',
      ['channel'],
      () => this.waiting(),
    );
    this.metrics.gauge(
      'channel_up',
      '0 after a call that the carrier refused as a whole, else 1',
      ['channel'],
      () => this.channelsUp(),
    );
    this.metrics.gauge('report_lag_seconds', 'Age of the oldest poll that is due', [], () =>
      this.oldest('poll_at', 'batches where true'),
    );
    this.metrics.gauge(
      'fallback_lag_seconds',
      'Age of the oldest fallback that could start',
      [],
      () => this.oldest('due_at', `fallback_triggers where ${IS_TASK_ACTIVE}`),
    );
    this.metrics.gauge(
      'notification_lag_seconds',
      'Age of the oldest notification that is due by e-mail or Telegram',
      [],
      () => this.oldest('due_at', 'notification_queue where true'),
    );
    this.metrics.gauge('tasks', 'Unfinished tasks', ['state'], () => this.tasks());
  }

  /** Without batches of paused tasks and of inactive channels, which wait on purpose. */
  private async submitLag(): Promise<{ labels: { priority: string }; value: number }[]> {
    const rows = await this.db.query<{ priority: number; seconds: number }>(
      `select priority, extract(epoch from $1 - min(due_at))::float8 as seconds from batches
        where stage = ${BATCH_STAGES.pending} and due_at <= $1 and ${IS_TASK_ACTIVE} and channel in (select name from channels where is_active)
        group by priority`,
      [this.clock.now()],
    );
    const seconds = new Map(rows.map((r) => [r.priority, r.seconds]));
    return MEASURED_PRIORITIES.map((priority) => ({
      labels: { priority },
      value: seconds.get(PRIORITIES[priority]) ?? 0,
    }));
  }

  private async waiting(): Promise<ChannelValue[]> {
    const rows = await this.db.query<{ channel: string; value: number }>(
      `select c.name as channel, (select coalesce(sum(size), 0) from batches
                where stage = ${BATCH_STAGES.pending} and channel = c.name and due_at <= $1 and ${IS_TASK_ACTIVE})::float8 as value
         from channels c where c.is_active`,
      [this.clock.now()],
    );
    return rows.map(({ channel, value }) => ({ labels: { channel }, value }));
  }

  private async channelsUp(): Promise<ChannelValue[]> {
    const rows = await this.db.query<{ channel: string; value: number }>(
      `select c.name as channel, case when h.failures > 0 then 0 else 1 end as value
         from channels c left join channel_states h on h.channel = c.name where c.is_active`,
    );
    return rows.map(({ channel, value }) => ({ labels: { channel }, value }));
  }

  private async oldest(column: string, from: string): Promise<{ value: number }[]> {
    const [row] = await this.db.query<{ seconds: number | null }>(
      `select extract(epoch from $1 - min(${column}))::float8 as seconds from ${from} and ${column} <= $1`,
      [this.clock.now()],
    );
    return [{ value: row?.seconds ?? 0 }];
  }

  private async tasks(): Promise<{ labels: { state: string }; value: number }[]> {
    const rows = await this.db.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from tasks where state = any($1) and removed_at is null group by state`,
      [TASK_STATES],
    );
    const counts = new Map(rows.map((r) => [r.state, r.count]));
    return TASK_STATES.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
  }
}
