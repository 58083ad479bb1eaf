import { Injectable } from '@nestjs/common';
import { DEFAULT_GROUP, formatMoney, SENDING_TYPES, typeCode } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../../core/auth/actor.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { BILLING_STATUS_CODES, callSql, restSql } from '../../billings/billings.service.ts';
import { holdersSql, type ComparedTariff } from '../../tariffs/tariffs.service.ts';
import { unnestRows } from '../unnest.ts';
import type { ComparisonSums, MessageGroup } from './comparison-page.ts';

export interface Comparison {
  id: string;
  OwnerId: string;
  UserId: string;
  /** Whose tariffs they are; null: all. */
  ResellerId: string | null;
  sides: [ComparedTariff, ComparedTariff];
  /** The only account that is compared. */
  AccountId: string | null;
  startsAt: Date;
  endsAt: Date;
  state: 'pending' | 'running' | 'completed' | 'failed';
  total: number | null;
  processed: number;
  isCut: boolean;
  atAccount: string | null;
  atMessage: string | null;
}

export type NewComparison = Pick<
  Comparison,
  'OwnerId' | 'UserId' | 'ResellerId' | 'sides' | 'AccountId' | 'startsAt' | 'endsAt'
>;

/** Sums of an account, of a type and network of one, or of a currency. */
export interface ComparisonSumsRow {
  OwnerId: string;
  username: string;
  currency: string;
  type: number | null;
  mccmnc: string | null;
  messages: number;
  compared: number;
  billed: string;
  first: string;
  second: string;
  withoutFirst: number;
  withoutSecond: number;
  unknown: number;
}

const COLUMNS = `id, owner_id as "OwnerId", user_id as "UserId", reseller_id as "ResellerId", sides, account_id as "AccountId",
  starts_at as "startsAt", ends_at as "endsAt", state, total, processed, is_cut as "isCut", at_account as "atAccount", at_message as "atMessage"`;
const OPEN = `state in ('pending', 'running')`;

/** The charges of an instance's month have this type, and no message. */
const TYPES = SENDING_TYPES.filter((type) => type !== 'wapi').map(typeCode);

const COUNTS = ['messages', 'compared', 'without_first', 'without_second', 'unknown'];
const AMOUNTS = ['billed', 'first', 'second'];
const SUMS = [
  ...COUNTS.map(
    (name) =>
      `sum(r.${name})::int as "${name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())}"`,
  ),
  ...AMOUNTS.map((name) => `sum(r.${name})::text as ${name}`),
].join(', ');

/** Comparisons of tariffs, and the messages that are compared. */
@Injectable()
export class ComparisonsStore {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
  ) {}

  /** In the place of the one that the user had. */
  async replace(one: NewComparison, now: Date): Promise<string> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [one.UserId]);
    await this.db.query(`delete from tariff_comparisons where user_id = $1`, [one.UserId]);
    const [row] = await this.db.query<{ id: string }>(
      `insert into tariff_comparisons (owner_id, user_id, reseller_id, sides, account_id, starts_at, ends_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        one.OwnerId,
        one.UserId,
        one.ResellerId,
        JSON.stringify(one.sides),
        one.AccountId,
        one.startsAt,
        one.endsAt,
        now,
      ],
    );
    return row!.id;
  }

  async ofUser(UserId: string, id: string): Promise<Comparison | null> {
    const [row] = await this.db.query<Comparison>(
      `select ${COLUMNS} from tariff_comparisons where id = $1 and user_id = $2`,
      [id, UserId],
    );
    return row ?? null;
  }

  async isWaiting(): Promise<boolean> {
    return (
      (await this.db.query(`select 1 from tariff_comparisons where ${OPEN} limit 1`)).length > 0
    );
  }

  /** Until the transaction ends. The one that has waited longest, so that each is continued in turn. */
  async lockNext(): Promise<Comparison | null> {
    const [row] = await this.db.query<Comparison>(
      `select ${COLUMNS} from tariff_comparisons where ${OPEN} order by updated_at, id limit 1 for update skip locked`,
    );
    return row ?? null;
  }

  async update(
    id: string,
    {
      state,
      total,
      processed,
      isCut,
      atAccount,
      atMessage,
    }: Pick<Comparison, 'state' | 'total' | 'processed' | 'isCut' | 'atAccount' | 'atMessage'>,
  ): Promise<void> {
    await this.db.query(
      `update tariff_comparisons set state = $2, total = $3, processed = $4, is_cut = $5, at_account = $6, at_message = $7,
              updated_at = clock_timestamp() where id = $1`,
      [id, state, total, processed, isCut, atAccount, atMessage],
    );
  }

  async fail(id: string): Promise<void> {
    await this.db.query(
      `update tariff_comparisons set state = 'failed', updated_at = now() where id = $1 and ${OPEN}`,
      [id],
    );
  }

  /** Returns how many. */
  deleteBefore(before: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from tariff_comparisons where id in (
         select id from tariff_comparisons where created_at < $1 order by created_at limit ${limit} for update skip locked)`,
      [before],
    );
  }

  /** The next accounts with charges in the period. */
  async accounts(
    comparison: Comparison,
    scope: AccessScope,
    after: string | null,
    limit: number,
  ): Promise<string[]> {
    const { sql, parameters, bind, charge } = this.holders(comparison, scope);
    const rows = await this.db.query<{ id: string }>(
      `select a.owner_id as id from (${sql}) a
        where a.owner_id > ${bind(after ?? uuidFloor(new Date(0)))}::uuid and exists (select 1 from billings b where ${charge})
        order by 1 limit ${limit}`,
      parameters,
    );
    return rows.map(({ id }) => id);
  }

  /** At most `max`. */
  async count(comparison: Comparison, scope: AccessScope, max: number): Promise<number> {
    const { sql, parameters, charge } = this.holders(comparison, scope);
    const [row] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from (
         select 1 from (${sql}) a cross join lateral (select 1 from billings b where ${charge} limit ${max}) c limit ${max}) all_of_them`,
      parameters,
    );
    return row!.n;
  }

  private holders(
    { sides: [first, second], AccountId, startsAt, endsAt }: Comparison,
    scope: AccessScope,
  ) {
    const parameters: unknown[] = [];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const other = second.id === first.id ? null : second.id;
    const [id, otherId, currency] = [first.id, other, this.config.CURRENCY].map(bind);
    const account = bind(AccountId);
    const [from, to] = [startsAt, endsAt].map((time) => bind(uuidFloor(time)));
    const sql = `select h.owner_id from (${holdersSql(id!, otherId!, currency!)}) h
                  where ${scopeSql(scope, 'h.owner_id', bind)} and (${account}::uuid is null or h.owner_id = ${account})`;
    const charge = `b.owner_id = a.owner_id and b.id >= ${from} and b.id < ${to} and ${chargeSql(bind(TYPES))}`;
    return { sql, parameters, bind, charge };
  }

  /**
   * The latest charges of an account before `to`, at most `limit`: their messages by what rules look at. `tags` and `digits` are those
   * of the price books; what they do not look at does not tell messages apart.
   */
  async page(
    OwnerId: string,
    { from, to }: { from: string; to: string },
    { usesText, usesLists, digits }: { usesText: boolean; usesLists: boolean; digits: number },
    limit: number,
  ): Promise<{ groups: MessageGroup[]; read: number; last: string | null }> {
    const isErased = `(s.data is null and s.phone like 'erased-%')`;
    // Without a text, and one is not missing: the message has none.
    const text = `case when s.body is null and (${isErased} or not coalesce(t.has_texts, false)) then null else coalesce(s.body, '') end`;
    const rows = await this.db.query<MessageGroup & { read: number; last: string }>(
      `with page as materialized (
         select b.id, b.source, coalesce((c.call ->> 'estimated')::int, b.multiplier) as multiplier, -b.amount - ${restSql('b')} as amount,
                (c.call ->> 'seconds')::int as seconds
           from billings b cross join lateral (select ${callSql('b')} as call) c
          where b.owner_id = $1 and b.id >= $2 and b.id < $3 and ${chargeSql('$4')}
          order by b.id desc limit ${limit}),
       facts as (
         select p.source as type, p.multiplier, p.amount, p.seconds, s.sender, s.mccmnc, coalesce(s.data->>'group', '${DEFAULT_GROUP}') as "group",
                ${usesText ? text : 'null'} as text, ${usesText ? `coalesce(s.data ? 'isSealed', false)` : 'false'} as "isSealed",
                left(s.phone, ${digits + 1}) as phone, coalesce(${isErased}, false) as "isErased",
                ${usesLists ? `case when s.group_id is null then '[]' else k.audience end` : `'[]'::jsonb`} as audience
           from page p left join sendings s on s.id = p.id
                ${usesText ? 'left join batches t on t.id = s.batch_id' : ''}
                ${usesLists ? 'left join tasks k on k.id = s.group_id' : ''})
       select type, multiplier, seconds, sender, mccmnc, "group", text, "isSealed", phone, "isErased", audience,
              count(*)::int as messages, sum(amount)::text as billed,
              (select count(*)::int from page) as read, (select id from page order by id limit 1) as last
         from facts group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
      [OwnerId, from, to, TYPES],
    );
    return { groups: rows, read: rows[0]?.read ?? 0, last: rows[0]?.last ?? null };
  }

  async add(id: string, OwnerId: string, sums: ComparisonSums[]): Promise<void> {
    if (!sums.length) return;
    const source = unnestRows(sums, {
      type: ['smallint', (s) => s.type],
      mccmnc: ['text', (s) => s.mccmnc],
      messages: ['integer', (s) => s.messages],
      compared: ['integer', (s) => s.compared],
      without_first: ['integer', (s) => s.withoutFirst],
      without_second: ['integer', (s) => s.withoutSecond],
      unknown: ['integer', (s) => s.unknown],
      billed: ['numeric', (s) => formatMoney(s.billed)],
      first: ['numeric', (s) => formatMoney(s.first)],
      second: ['numeric', (s) => formatMoney(s.second)],
    });
    const columns = Object.keys(source.expressions);
    const [comparison, owner] = [id, OwnerId].map(
      (value) => `$${source.parameters.push(value)}::uuid`,
    );
    await this.db.query(
      `insert into tariff_comparison_rows as r (comparison_id, owner_id, ${columns.join(', ')})
       select ${comparison}, ${owner}, ${source.select(columns)} from ${source.from}
       on conflict (comparison_id, owner_id, type, mccmnc) do update set
         ${[...COUNTS, ...AMOUNTS].map((name) => `${name} = r.${name} + excluded.${name}`).join(', ')}`,
      source.parameters,
    );
  }

  /** Of the accounts; of one of them, by type and network; or by currency. The greatest differences first. */
  sums(
    id: string,
    scope: AccessScope,
    by: 'currency' | 'account' | { OwnerId: string },
    limit: number,
  ): Promise<ComparisonSumsRow[]> {
    const parameters: unknown[] = [id, this.config.CURRENCY];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const conditions = ['r.comparison_id = $1', scopeSql(scope, 'r.owner_id', bind)];
    if (typeof by === 'object') conditions.push(`r.owner_id = ${bind(by.OwnerId)}`);
    const currency = `coalesce(u.settings #>> '{billings,currency}', $2)`;
    const account = by === 'currency' ? `null::uuid, null::text` : 'r.owner_id, u.username';
    const network = typeof by === 'object' ? 'r.type, r.mccmnc' : 'null::smallint, null::text';
    return this.db.query<ComparisonSumsRow>(
      `select g.owner_id as "OwnerId", g.* from (
         select x.owner_id, x.username, x.currency, x.type, x.mccmnc, ${SUMS}
           from tariff_comparison_rows r join users u on u.id = r.owner_id
                cross join lateral (select ${account}, ${currency}, ${network}) x (owner_id, username, currency, type, mccmnc)
          where ${conditions.join(' and ')}
          group by 1, 2, 3, 4, 5
          order by abs(sum(r.second) - sum(r.first)) desc, sum(r.messages) desc, 2, 3, 4, 5 limit ${limit}) g`,
      parameters,
    );
  }
}

/** A charge of a message that was not given back and that no package covers, and no entry made by hand; `types` are those of messages. */
const chargeSql = (types: string): string =>
  `b.status = ${BILLING_STATUS_CODES.complete} and b.created_by is null and b.package_id is null and b.source = any(${types}::smallint[])`;
