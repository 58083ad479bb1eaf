import { Injectable } from '@nestjs/common';
import type { systemMessages } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { SystemMessage } from './system-message.entity.ts';

type Query = In<typeof systemMessages.find>['query'];

@Injectable()
export class SystemMessagesStore extends Store<SystemMessage, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'm.id' },
    filter: { type: equals('m.type') },
    range: {},
  };

  constructor(db: Db) {
    super(db, SystemMessage, 'm');
  }

  /** Those of the ids that are accounts within the scope. */
  async accountsWithin(scope: AccessScope, ids: string[]): Promise<string[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 'u.id', (value) => `$${values.push(value)}`);
    const rows = await this.db.queryUnprepared<{ id: string }>(
      `select u.id from users u where u.id = any($1::uuid[]) and u.owner_id = u.id and ${within}`,
      values,
    );
    return rows.map(({ id }) => id);
  }
}
