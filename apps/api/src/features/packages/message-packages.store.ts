import { Injectable } from '@nestjs/common';
import type { packages } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { MessagePackage } from './message-package.entity.ts';

type Query = In<typeof packages.find>['query'];

export interface EndingPackage {
  id: string;
  OwnerId: string;
  title: string;
  units: number;
  left: number;
  endsAt: Date;
}

@Injectable()
export class MessagePackagesStore extends Store<MessagePackage, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'p.id', endsAt: 'p.endsAt' },
    filter: { OwnerId: equals('p.owner_id') },
    range: { createdAt: idTime('p.id'), endsAt: 'p.ends_at' },
  };

  constructor(db: Db) {
    super(db, MessagePackage, 'p');
  }

  /** Packages with units that end by then, each once. */
  markEnding(now: Date, until: Date, limit: number): Promise<EndingPackage[]> {
    return this.db.query(
      `update message_packages p set ending_notified = true
         from (select id from message_packages
                where not ending_notified and ends_at > $1 and ends_at <= $2 and units_left > 0 order by ends_at limit $3 for update skip locked) d
        where p.id = d.id
        returning p.id, p.owner_id as "OwnerId", p.title, p.units, p.units_left as left, p.ends_at as "endsAt"`,
      [now, until, limit],
    );
  }
}
