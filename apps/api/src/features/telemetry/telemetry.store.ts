import { Injectable } from '@nestjs/common';
import type { telemetry } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Visit } from './visit.entity.ts';

type Query = In<typeof telemetry.find>['query'];

@Injectable()
export class TelemetryStore extends Store<Visit, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'v.id' },
    filter: { action: equals('v.action'), OwnerId: equals('v.owner_id') },
    range: { createdAt: idTime('v.id') },
  };

  constructor(db: Db) {
    super(db, Visit, 'v');
  }
}
