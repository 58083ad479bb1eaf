import { Injectable } from '@nestjs/common';
import type { users } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { User } from './user.entity.ts';

type Query = In<typeof users.find>['query'];

@Injectable()
export class UsersStore extends Store<User, Query> {
  protected readonly list: ListSql<Query> = {
    // The balance is no column of this table: it is ordered by as it is selected.
    order: { createdAt: 'u.createdAt', username: 'u.username', balance: 'u_balance' },
    filter: {
      isActive: equals('u.is_active'),
      ManagerId: equals('u.manager_id'),
      OwnerId: equals('u.owner_id'),
    },
    range: {},
    search: contains(
      'u.username',
      `u.data->>'email'`,
      `u.data->>'phone'`,
      `concat_ws(' ', u.data->>'firstName', u.data->>'lastName')`,
    ),
  };

  constructor(db: Db) {
    super(db, User, 'u');
  }

  async isTaken(username: string, exceptId: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from users where lower(username) = lower($1) and id <> $2`,
      [username, exceptId],
    );
    return found.length > 0;
  }
}
