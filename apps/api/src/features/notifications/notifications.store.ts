import { Injectable } from '@nestjs/common';
import type { notifications } from '@heliograph/contract';
import { notificationTypesOf } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { ownScope, readsMoney, type AccessScope, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Notification } from './notification.entity.ts';
import { typesTitled } from './words.ts';

type Query = In<typeof notifications.find>['query'];

const OF_MONEY = notificationTypesOf('money');

/** The notifications of a user that the caller may read: of those about money they tell amounts and balances. */
export type NotificationScope = AccessScope & { withoutMoney?: boolean };
export const notificationScope = (actor: Actor): NotificationScope => ({
  ...ownScope(actor.userId),
  withoutMoney: !readsMoney(actor),
});

/** Notifications belong to a user, not to an account. */
@Injectable()
export class NotificationsStore extends Store<Notification, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'n.id' },
    filter: {
      id: equals('n.id'),
      type: equals('n.type'),
      isRead: equals('n.is_read'),
      channel: equals('n.channel'),
    },
    range: { createdAt: idTime('n.id') },
    // Titles are in the catalogues, names and sums in the data.
    search: (text, bind) =>
      `(n.type = any(${bind(typesTitled(text))}) or exists (
         select 1 from jsonb_each_text(n.data) d where ${contains('d.value')(text, bind)}))`,
  };

  constructor(db: Db) {
    super(db, Notification, 'n', 'n.user_id');
  }

  /** Marks one or all notifications of the user as read and returns those that changed. */
  async read(scope: NotificationScope, id?: string): Promise<Notification[]> {
    return this.db.transaction(async () => {
      const rows = this.rows(scope)
        .andWhere('not n.is_read')
        .select('n.id')
        .setLock('pessimistic_write');
      if (id) rows.andWhere('n.id = :id', { id });
      const ids = (await rows.orderBy('n.id').getMany()).map((row) => row.id);
      await this.db.query(
        `update notifications set is_read = true, delivered_at = coalesce(delivered_at, now()), updated_at = now()
          where id = any($1)`,
        [ids],
      );
      return this.byIds(scope, ids);
    });
  }

  protected override rows(scope: NotificationScope): SelectQueryBuilder<Notification> {
    const rows = super.rows(scope);
    return scope.withoutMoney ? rows.andWhere('n.type <> all(:money)', { money: OF_MONEY }) : rows;
  }
}
