import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../core/http/visitor.ts';
import { TelemetryStore } from './telemetry.store.ts';
import type { Visit } from './visit.entity.ts';

type Seen = Pick<Visit, 'action' | 'data' | 'UserId' | 'OwnerId'>;

@Injectable()
export class TelemetryService {
  constructor(private readonly store: TelemetryStore) {}

  /** Where from and with what is seen by the server. */
  record(visit: Seen, { ip, useragent }: Visitor): Promise<Visit> {
    return this.store.create({ ...visit, ip, useragent });
  }
}
