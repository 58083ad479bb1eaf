import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { TelemetryStore } from './telemetry.store.ts';
import type { Visit } from './visit.entity.ts';

type Seen = Pick<Visit, 'action' | 'data' | 'UserId' | 'OwnerId'>;

@Injectable()
export class TelemetryService {
  constructor(
    private readonly store: TelemetryStore,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  /** Where from and with what is seen by the server. */
  record(visit: Seen, { ip, useragent }: Visitor): Promise<Visit> {
    return this.store.create({ ...visit, ip, useragent });
  }

  @Sweeps(60_000)
  dropOld(): Promise<boolean> {
    return this.retention.dropOlder('visits', this.config.RETENTION_VISITS_DAYS);
  }
}
