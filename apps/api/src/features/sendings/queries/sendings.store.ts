import { Injectable } from '@nestjs/common';
import type { Page, Range } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { changeHorizon, changesBefore, findIdsByChange } from '../../../core/db/changes.ts';
import { findIds, inOrder } from '../../../core/db/find-page.ts';
import { changedIdsSql, idsSql, type Query } from './sendings.list.ts';
import {
  SENDING_COLUMNS,
  SENDING_JOINS,
  type SendingRow,
  type TaskRecipients,
} from './sending.row.ts';

/** Sendings as customers read them: all statements use the view `sendings_now`, which derives the status from row and batch. */
@Injectable()
export class SendingsStore {
  constructor(private readonly db: Db) {}

  async find(
    scope: AccessScope,
    query: Query,
    { from, country }: { from: string; country: string },
  ): Promise<Page<SendingRow>> {
    const createdAt: Range = query.range.createdAt ?? {};
    const isNarrow = query.filter.groupId || query.filter.chainId || query.filter.id;
    const range = {
      createdAt: {
        ...createdAt,
        ...((createdAt.$gt || !isNarrow) && { $gt: createdAt.$gt ?? from }),
      },
    };
    const { updatedAt } = query.range;
    const isByChange = query.order[0]!.field === 'updatedAt';
    const horizon = updatedAt || isByChange ? await changeHorizon(this.db) : undefined;
    const changed = horizon && changesBefore(horizon, updatedAt);
    const listed = { ...query, range: { ...range, ...(changed && { updatedAt: changed }) } };
    if (isByChange) {
      // A change is not before the creation of its message.
      const $gt = changed!.$gt ?? range.createdAt.$gt ?? new Date(0).toISOString();
      const { page, until, ...numbers } = await findIdsByChange(
        this.db,
        query,
        { ...changed!, $gt },
        (portion, ...sqlOptions) => changedIdsSql(scope, listed, portion, country, ...sqlOptions),
      );
      const rows = inOrder(page, await this.byIds(scope, page));
      return { data: rows.map((row) => asOf(row, until)), ...numbers };
    }
    const { page, ...numbers } = await findIds(this.db, query, (...sqlOptions) =>
      idsSql(scope, listed, country, ...sqlOptions),
    );
    const rows = inOrder(page, await this.byIds(scope, page));
    const until = horizon && new Date(horizon.getTime() - 1);
    return { data: rows.map((row) => asOf(row, until)), ...numbers };
  }

  async one(scope: AccessScope, id: string): Promise<SendingRow | undefined> {
    const [row] = await this.byIds(scope, [id]);
    return row;
  }

  /** Ids of up to two first attempts of a group: one means that the group has one recipient. */
  async firstOf(groupId: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select id from sendings where group_id = $1 and chain_id is null limit 2`,
      [groupId],
    );
    return rows.map(({ id }) => id);
  }

  byIds(scope: AccessScope, ids: string[]): Promise<SendingRow[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 's.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<SendingRow>(
      `select ${SENDING_COLUMNS} from sendings_now s ${SENDING_JOINS} where s.id = any($1) and ${within} order by s.id`,
      values,
    );
  }

  /** All attempts of a chain. */
  chain(id: string): Promise<SendingRow[]> {
    return this.db.query<SendingRow>(
      `select ${SENDING_COLUMNS} from sendings_now s ${SENDING_JOINS} where s.id = $1 or s.chain_id = $1 order by s.attempt`,
      [id],
    );
  }

  /** By which channels some messages went or go, and by which routes. */
  async waysOf(ids: string[]): Promise<Map<string, { channel: string; route: string | null }>> {
    if (!ids.length) return new Map();
    const rows = await this.db.query<{ id: string; channel: string; route: string | null }>(
      `select s.id, b.channel, r.title as route from sendings s join batches b on b.id = s.batch_id left join routes r on r.id = b.route_id
        where s.id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...way }) => [id, way]));
  }

  /** The last texts of an account to each person, of messages since `from`. */
  async lastTexts(
    OwnerId: string,
    addresses: string[],
    { from, limit }: { from: string; limit: number },
  ): Promise<{ address: string; text: string }[]> {
    return this.db.query(
      `select a.address, s.body as text
         from unnest($2::text[]) a(address)
        cross join lateral (
          select body from sendings where owner_id = $1 and phone = a.address and id >= $3 and not coalesce(data ? 'isAwaited', false) order by id desc limit $4) s
        where s.body is not null`,
      [OwnerId, addresses, from, limit],
    );
  }

  async recipientsOf(taskId: string): Promise<TaskRecipients | null> {
    const [task] = await this.db.query<{ recipients: TaskRecipients }>(
      `select data->'recipients' as recipients from tasks where id = $1`,
      [taskId],
    );
    return task?.recipients ?? null;
  }
}

/** A row that has changed since the page was found is shown as it is now, with the page's last time: it comes once more. */
const asOf = (row: SendingRow, until: Date | undefined): SendingRow =>
  until && row.updatedAt > until ? { ...row, updatedAt: until } : row;
