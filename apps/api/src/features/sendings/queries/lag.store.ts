import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';

const PRIORITIES = ['single', 'bulk'];
const GOES = `(task_id is null or exists (select 1 from tasks t where t.id = task_id and t.state in ('running', 'completed')))`;

/** How far the work is behind, as seen from the database: the same figure in whichever process is asked. */
@Injectable()
export class LagStore implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'submit_lag_seconds',
      'Age of the oldest batch that could be handed over',
      ['priority'],
      () => this.handover(),
    );
    this.metrics.gauge(
      'report_lag_seconds',
      'Since when a driver is to be asked for statuses',
      [],
      () => this.oldest('poll_at', 'batches where true'),
    );
    this.metrics.gauge(
      'fallback_lag_seconds',
      'Age of the oldest fallback that could start',
      [],
      () => this.oldest('due_at', `fallback_triggers where ${GOES}`),
    );
    this.metrics.gauge('tasks', 'Bulks that are not over', ['state'], () => this.tasks());
  }

  /** What waits for a task that is paused, or for a channel that is switched off, waits as somebody wants it. */
  private async handover(): Promise<{ labels: { priority: string }; value: number }[]> {
    const rows = await this.db.query<{ priority: number; seconds: number }>(
      `select priority, extract(epoch from $1 - min(due_at))::float8 as seconds from batches
        where stage = 0 and due_at <= $1 and ${GOES} and channel in (select name from channels where is_active)
        group by priority`,
      [this.clock.now()],
    );
    const seconds = new Map(rows.map((r) => [r.priority, r.seconds]));
    return PRIORITIES.map((priority, n) => ({ labels: { priority }, value: seconds.get(n) ?? 0 }));
  }

  private async oldest(column: string, from: string): Promise<{ value: number }[]> {
    const [row] = await this.db.query<{ seconds: number | null }>(
      `select extract(epoch from $1 - min(${column}))::float8 as seconds from ${from} and ${column} <= $1`,
      [this.clock.now()],
    );
    return [{ value: row?.seconds ?? 0 }];
  }

  private async tasks(): Promise<{ labels: { state: string }; value: number }[]> {
    const states = ['scheduled', 'running', 'paused'];
    const rows = await this.db.query<{ state: string; n: number }>(
      `select state, count(*)::int as n from tasks where state = any($1) and removed_at is null group by state`,
      [states],
    );
    const counts = new Map(rows.map((r) => [r.state, r.n]));
    return states.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
  }
}
