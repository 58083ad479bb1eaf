import { Injectable } from '@nestjs/common';
import { COUNT_CAP, type Page, type Range, type sendings, type Status } from '@heliograph/contract';
import { normalizePhone, statusCode, typeCode, type StoredStatus } from '@heliograph/domain';
import { reachSql, type Reach } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { conditions, equals, idTime, like, totals, type ListSql } from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { SENDING_COLUMNS, SENDING_JOINS, type SendingRow } from './sending.row.ts';

type Query = In<typeof sendings.find>['query'];
type Bind = (value: unknown) => string;

/** Batches that may still hold a sending whose status its batch tells. */
const OPEN = `s.batch_id in (select id from batches where closed_at is null)`;

/** One status as SQL. Final ones stand on the row; a middle one on the row if it is ahead of its batch, else on the batch. */
function statusSql(status: Status): string {
  switch (status) {
    case 'failed':
      return '(s.failed_at is not null and s.status = 5)';
    case 'delivered':
    case 'seen':
      return `s.status = ${statusCode(status)}`;
    case 'paused':
      return `(s.is_paused and ${OPEN})`;
    case 'pending':
      return `(s.now_status = 0 and not s.is_paused and ${OPEN})`;
    default:
      return `(s.now_status = ${statusCode(status as StoredStatus)} and ${OPEN})`;
  }
}

const LIST: ListSql<Query> = {
  order: { createdAt: 's.id' },
  filter: {
    status: (statuses) => `(${statuses.map(statusSql).join(' or ')})`,
    type: (types, bind) => `s.type = any(${bind(types.map(typeCode))})`,
    // A group lies together in time: its own bounds keep the walk along its owner's sendings short.
    groupId: (id, bind) => {
      const group = bind(id);
      return `(s.group_id = ${group} and s.id >= (select first_id from batches where task_id = ${group} order by first_id limit 1)
               and s.id <= (select last_id from batches where task_id = ${group} order by last_id desc limit 1))`;
    },
    chainId: (id, bind) => {
      const chain = bind(id);
      return `(s.id = ${chain} or s.chain_id = ${chain})`;
    },
    recipient: (text, bind) => phoneSql(text, bind),
    id: equals('s.id'),
    OwnerId: equals('s.owner_id'),
    cursor: (id, bind) => `s.id < ${bind(id)}`,
  },
  range: { createdAt: idTime('s.id'), updatedAt: 's.updated_at' },
  search: (text, bind) =>
    /^[+\d\s()-]{4,}$/.test(text) ? phoneSql(text, bind) : `s.body ilike ${bind(like(text))}`,
};

/** A whole phone by equality, its beginning by prefix. */
function phoneSql(text: string, bind: Bind): string {
  const phone = normalizePhone(text);
  if (phone) return `s.phone = ${bind(phone)}`;
  const digits = text.replace(/[^\d]/g, '');
  if (!digits) return `s.phone = ${bind(text)}`;
  return `(s.phone >= ${bind(`+${digits}`)} collate "C" and s.phone < ${bind(`+${digits}:`)} collate "C")`;
}

/** What customers read: every statement goes through the view that says what a status is. */
@Injectable()
export class SendingsStore {
  constructor(private readonly db: Db) {}

  async find(reach: Reach, query: Query, span: { from: string }): Promise<Page<SendingRow>> {
    const values: unknown[] = [];
    const bind = (v: unknown) => `$${values.push(v)}`;
    const createdAt: Range = query.range.createdAt ?? {};
    const isNarrow = query.filter.groupId || query.filter.chainId || query.filter.id;
    const range = {
      createdAt: {
        ...createdAt,
        ...((createdAt.$gt || !isNarrow) && { $gt: createdAt.$gt ?? span.from }),
      },
      ...(query.range.updatedAt && { updatedAt: query.range.updatedAt }),
    };
    const where = [
      reachSql(reach, 's.owner_id', bind),
      ...conditions(LIST, { ...query, range }, bind),
    ].join(' and ');
    const direction = query.order[0]!.direction;
    const [count] = await this.db.ask<{ n: number }>(
      `select count(*)::int as n from (select 1 from sendings_now s where ${where} order by s.id ${direction} limit ${COUNT_CAP + 1}) c`,
      values,
    );
    // Ids first: the joins are made for one page only.
    const data = await this.db.ask<SendingRow>(
      `with wanted as (select s.id from sendings_now s where ${where} order by s.id ${direction} limit ${bind(query.limit)} offset ${bind(query.offset)})
       select ${SENDING_COLUMNS} from wanted w join sendings_now s on s.id = w.id ${SENDING_JOINS} order by s.id ${direction}`,
      values,
    );
    return { data, ...totals(count!.n, query) };
  }

  async get(reach: Reach, id: string): Promise<SendingRow> {
    const [row] = await this.byIds(reach, [id]);
    if (!row) throw notFound();
    return row;
  }

  byIds(reach: Reach, ids: string[]): Promise<SendingRow[]> {
    const values: unknown[] = [ids];
    const within = reachSql(reach, 's.owner_id', (v) => `$${values.push(v)}`);
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
}
