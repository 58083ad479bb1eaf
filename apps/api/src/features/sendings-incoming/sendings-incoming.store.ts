import { Injectable } from '@nestjs/common';
import type { Level, Page, Range, SendingIncoming, sendingsIncoming } from '@heliograph/contract';
import { normalizePhone, typeCode, typeOf } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';
import { byOwner } from '../../core/db/by-owner.ts';
import { changeHorizon, changesBefore, findIdsByChange } from '../../core/db/changes.ts';
import { Db } from '../../core/db/db.ts';
import {
  conditions,
  equals,
  findIds,
  idTime,
  inOrder,
  type Bind,
  type ListSql,
} from '../../core/db/find-page.ts';
import { incomingWith } from '../../core/db/search.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { NewIncoming, Origin } from './incoming.ts';

type Query = In<typeof sendingsIncoming.find>['query'];

export interface IncomingRow extends Omit<
  SendingIncoming,
  'type' | 'createdAt' | 'updatedAt' | 'Owner'
> {
  type: number;
  createdAt: Date;
  updatedAt: Date;
}

/** When a message became visible. It has an index with the owner. */
const CHANGED = 'coalesce(i.changed_at, uuid_extract_timestamp(i.id))';
const SHOWN_AT = `date_trunc('milliseconds', ${CHANGED})`;
const COLUMNS = `i.id, i.type, i."from", i."to", i.payload, i.sending_id as "SendingId", i.owner_id as "OwnerId",
  uuid_extract_timestamp(i.id) as "createdAt", ${SHOWN_AT} as "updatedAt"`;
const LIST: ListSql<Omit<Query, 'filter'> & { filter: Omit<Query['filter'], 'OwnerId'> }> = {
  order: { createdAt: 'i.id', updatedAt: CHANGED },
  cursor: 'i.id',
  filter: {
    type: (types, bind) => equals('i.type')(types.map(typeCode), bind),
    from: (from, bind, country) => `i."from" = ${bind(normalizePhone(from, country) ?? from)}`,
  },
  range: { createdAt: idTime('i.id'), updatedAt: CHANGED },
  search: (text, bind, country) => {
    const phone = normalizePhone(text, country);
    const found = incomingWith(text, bind);
    return phone ? `(${found} or i."from" = ${bind(phone)})` : found;
  },
};

interface StoredIncoming extends NewIncoming {
  id: string;
  isQueued: boolean;
}

@Injectable()
export class IncomingStore {
  constructor(private readonly db: Db) {}

  async find(scope: AccessScope, query: Query, country: string): Promise<Page<IncomingRow>> {
    const { OwnerId, ...filter } = query.filter;
    const { createdAt, updatedAt } = query.range;
    const isByChange = query.order[0]!.field === 'updatedAt';
    const isFound = filter.type || filter.from || query.search || isByChange;
    const along = scope.kind === 'all' && !isFound ? 'rows' : 'owners';
    const horizon = updatedAt || isByChange ? await changeHorizon(this.db) : undefined;
    const changed = horizon && changesBefore(horizon, updatedAt);
    const ids = (updatedAt: Range | undefined, bind: Bind, last: string) => {
      const range = { ...query.range, ...(updatedAt && { updatedAt }) };
      const rows = conditions(LIST, { ...query, filter, range }, bind, country);
      return byOwner({ scope, OwnerId, column: 'i.owner_id', along }, bind, (within) => {
        const where = [within, ...rows].join(' and ');
        return `(select i.id, ${SHOWN_AT} as updated_at from sendings_incoming i where ${where} ${last})`;
      });
    };
    if (isByChange) {
      const $gt = changed!.$gt ?? createdAt!.$gt!;
      const {
        page,
        until: _,
        ...numbers
      } = await findIdsByChange(
        this.db,
        query,
        { ...changed!, $gt },
        (portion, bind, take, isPage) =>
          ids(
            portion,
            bind,
            isPage ? `order by ${SHOWN_AT} fetch first (${take}) rows with ties` : `limit ${take}`,
          ),
      );
      return { data: inOrder(page, await this.byIds(scope, page)), ...numbers };
    }
    const { direction } = query.order[0]!;
    const { page, ...numbers } = await findIds(this.db, query, (bind, take) =>
      ids(changed, bind, `order by i.id ${direction} limit ${take}`),
    );
    return { data: inOrder(page, await this.byIds(scope, page)), ...numbers };
  }

  async get(scope: AccessScope, id: string): Promise<IncomingRow> {
    const [row] = await this.byIds(scope, [id]);
    if (!row) throw notFound();
    return row;
  }

  byIds(scope: AccessScope, ids: string[]): Promise<IncomingRow[]> {
    const values: unknown[] = [ids];
    const within = scopeSql(scope, 'i.owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<IncomingRow>(
      `select ${COLUMNS} from sendings_incoming i where i.id = any($1) and ${within}`,
      values,
    );
  }

  /**
   * Returns the ids of those that the carrier has not delivered before. One that `isQueued` waits for the rules and automations of its
   * account, if it has any.
   */
  async create(messages: StoredIncoming[]): Promise<Set<string>> {
    const rows = messages.map(({ origin, addedBy, ...row }) => ({
      ...row,
      channel: origin?.channel,
      webhookId: origin?.webhookId,
      tokenId: addedBy?.tokenId,
      allowed: addedBy?.allowed,
    }));
    const written = await this.db.query<{ id: string }>(
      `with given as (
         select * from jsonb_to_recordset($1) as m(id uuid, "OwnerId" uuid, type smallint, "from" text, "to" text, payload jsonb,
           "SendingId" uuid, channel text, "webhookId" text, "isQueued" boolean, "tokenId" uuid, allowed text[])
       ), written as (
         insert into sendings_incoming (id, owner_id, type, "from", "to", payload, sending_id, channel, webhook_id)
         select id, "OwnerId", type, "from", "to", payload, "SendingId", channel, "webhookId" from given order by id
         on conflict (channel, webhook_id) where webhook_id is not null do nothing returning id
       ), queued as (
         insert into incoming_queue (id, owner_id, token_id, allowed)
         select id, "OwnerId", "tokenId", allowed from written join given using (id)
          where "isQueued" and (exists (select 1 from inbound_rules where owner_id = "OwnerId" and is_active)
             or exists (select 1 from automations where owner_id = "OwnerId" and is_active and trigger->>'when' = 'keyword')))
       select id from written`,
      [JSON.stringify(rows)],
    );
    return new Set(written.map(({ id }) => id));
  }

  async idByOrigin({ channel, webhookId }: Origin): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `select id from sendings_incoming where channel = $1 and webhook_id = $2`,
      [channel, webhookId],
    );
    return row!.id;
  }
}

export function presentIncoming(
  { Owner, ...row }: WithOwner<IncomingRow>,
  level: Level,
): SendingIncoming {
  return {
    ...row,
    type: typeOf(row.type),
    ...(level !== 'me' && Owner && { Owner: ownerRef(Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The `data` of its webhook event. */
export function eventOf(row: IncomingRow): Record<string, unknown> {
  const { id, from, to, payload, SendingId } = row;
  return { id, type: typeOf(row.type), from, to, text: payload.text ?? null, SendingId };
}
