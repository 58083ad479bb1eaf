import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { EVENT_STATES } from './delivery-queue.store.ts';

/** A gauge of the backlog of webhooks, read from the database: every process reports the same value. */
@Injectable()
export class WebhookMetricsStore implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'webhook_lag_seconds',
      'Age of the oldest event that is due to an active webhook which answers',
      [],
      async () => [{ value: await this.lag() }],
    );
  }

  /** Of each webhook one row of the index is read. Webhooks that fail wait for their next attempt on purpose. */
  private async lag(): Promise<number> {
    const [row] = await this.db.query<{ seconds: number | null }>(
      `select extract(epoch from $1 - min(e.due_at))::float8 as seconds from webhooks w
        cross join lateral (select due_at from webhook_events
                             where webhook_id = w.id and state = ${EVENT_STATES.waiting} and due_at <= $1
                             order by due_at limit 1) e
        where not w.is_smpp and w.state = 'active' and (w.blocked_until is null or w.blocked_until <= $1)`,
      [this.clock.now()],
    );
    return row?.seconds ?? 0;
  }
}
