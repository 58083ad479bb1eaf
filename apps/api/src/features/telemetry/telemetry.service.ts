import { Injectable, type OnModuleInit } from '@nestjs/common';
import { systemScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { TelemetryStore } from './telemetry.store.ts';
import { present, type Visit } from './visit.entity.ts';

type NewVisit = Pick<Visit, 'action' | 'data' | 'UserId' | 'OwnerId'>;

@Injectable()
export class TelemetryService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly events: Events,
    private readonly store: TelemetryStore,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    // Events are presented by level only, so a reseller's own visit is sent without its client, as to the account.
    const load = (ids: string[]) => this.store.byIds(systemScope, ids);
    this.events.present('telemetry', load, (row, level) => present(row, { level }));
  }

  /** IP address and user agent are taken from the request. `sessionId` is the session that the sign-in has opened. */
  record(visit: NewVisit, { ip, useragent }: Visitor, sessionId?: string): Promise<Visit> {
    return this.db.transaction(async () => {
      const row = await this.store.create({ ...visit, ip, useragent });
      if (sessionId) await this.store.linkSession(sessionId, row.id);
      this.events.changed('telemetry', 'created', row.OwnerId, row.id);
      return row;
    });
  }

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('visits', this.config.RETENTION_VISITS_DAYS);
  }
}
