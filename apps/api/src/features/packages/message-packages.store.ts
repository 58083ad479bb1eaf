import { Injectable } from '@nestjs/common';
import type { packages } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { MessagePackage } from './message-package.entity.ts';

type Query = In<typeof packages.find>['query'];

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
}
