import { Injectable } from '@nestjs/common';
import {
  COUNT_CAP,
  type Page,
  type SendingIncoming,
  type sendingsIncoming,
} from '@heliograph/contract';
import { typeCode, typeOf } from '@heliograph/domain';
import { reachSql, type Reach } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  contains,
  equals,
  idTime,
  totals,
  type ListSql,
} from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';

type Query = In<typeof sendingsIncoming.find>['query'];

interface Row extends Omit<SendingIncoming, 'type' | 'createdAt' | 'updatedAt' | 'Owner'> {
  type: number;
  username: string;
  createdAt: Date;
}

const COLUMNS = `i.id, i.type, i."from", i."to", i.payload, i.sending_id as "SendingId", i.owner_id as "OwnerId", u.username,
  uuid_extract_timestamp(i.id) as "createdAt"`;
const LIST: ListSql<Query> = {
  order: { createdAt: 'i.id' },
  filter: {
    type: (types, bind) => `i.type = any(${bind(types.map(typeCode))})`,
    from: equals('i."from"'),
    OwnerId: equals('i.owner_id'),
  },
  range: { createdAt: idTime('i.id') },
  search: contains('i."from"', `i.payload->>'text'`),
};

@Injectable()
export class IncomingStore {
  constructor(private readonly db: Db) {}

  async find(reach: Reach, query: Query): Promise<Page<Row>> {
    const values: unknown[] = [];
    const bind = (v: unknown) => `$${values.push(v)}`;
    const where = [reachSql(reach, 'i.owner_id', bind), ...conditions(LIST, query, bind)].join(
      ' and ',
    );
    const [count] = await this.db.ask<{ n: number }>(
      `select count(*)::int as n from (select 1 from sendings_incoming i where ${where} limit ${COUNT_CAP + 1}) c`,
      values,
    );
    const data = await this.db.ask<Row>(
      `select ${COLUMNS} from sendings_incoming i join users u on u.id = i.owner_id where ${where}
        order by i.id ${query.order[0]!.direction} limit ${bind(query.limit)} offset ${bind(query.offset)}`,
      values,
    );
    return { data, ...totals(count!.n, query) };
  }

  async get(reach: Reach, id: string): Promise<Row> {
    const [row] = await this.byIds(reach, [id]);
    if (!row) throw notFound();
    return row;
  }

  byIds(reach: Reach, ids: string[]): Promise<Row[]> {
    const values: unknown[] = [ids];
    const within = reachSql(reach, 'i.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<Row>(
      `select ${COLUMNS} from sendings_incoming i join users u on u.id = i.owner_id where i.id = any($1) and ${within}`,
      values,
    );
  }

  async create(row: {
    id: string;
    OwnerId: string;
    type: number;
    from: string;
    to: string;
    payload: object;
    SendingId: string | null;
  }): Promise<void> {
    await this.db.query(
      `insert into sendings_incoming (id, owner_id, type, "from", "to", payload, sending_id) values ($1, $2, $3, $4, $5, $6, $7)`,
      [row.id, row.OwnerId, row.type, row.from, row.to, row.payload, row.SendingId],
    );
  }
}

export function presentIncoming({ username, ...row }: Row, withOwner: boolean): SendingIncoming {
  const createdAt = row.createdAt.toISOString();
  return {
    ...row,
    type: typeOf(row.type),
    ...(withOwner && { Owner: { id: row.OwnerId, username } }),
    createdAt,
    updatedAt: createdAt,
  };
}
