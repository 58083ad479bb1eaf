import { Injectable } from '@nestjs/common';
import type { storage } from '@heliograph/contract';
import type { SelectQueryBuilder } from 'typeorm';
import type { Reach } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { StoredFile } from './stored-file.entity.ts';

type Query = In<typeof storage.find>['query'];

@Injectable()
export class StorageStore extends Store<StoredFile, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'f.createdAt', size: 'f.size', title: 'f.title' },
    filter: {
      // `image/*` is every image.
      type: (types, bind) =>
        `(f.type = any(${bind(types)}) or split_part(f.type, '/', 1) || '/*' = any(${bind(types)}))`,
      id: equals('f.id'),
      OwnerId: equals('f.owner_id'),
    },
    range: { createdAt: 'f.created_at' },
    search: contains('f.title', 'f.filename'),
  };

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super(db, StoredFile, 'f');
  }

  /** Takes out of the table what has expired and is not needed; answers the ids, whose bytes are then to go. */
  async dropExpired(limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `delete from files where id in (
         select id from files where expired_at <= $1 and locks = 0 limit $2 for update skip locked)
       returning id`,
      [this.clock.now(), limit],
    );
    return rows.map((r) => r.id);
  }

  /** Of files that are known to be their owners'. */
  stopExpiry(ids: string[]): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `update files set expired_at = null, updated_at = now() where id = any($1) returning id, owner_id as "OwnerId"`,
      [ids],
    );
  }

  /** An expired file is not there any more, whether or not it has been swept yet. */
  protected override rows(reach: Reach): SelectQueryBuilder<StoredFile> {
    return super
      .rows(reach)
      .andWhere('(f.expired_at is null or f.expired_at > :now)', { now: this.clock.now() });
  }
}
