import { Injectable } from '@nestjs/common';
import type {
  BillingOperationRow,
  billingOperations,
  OperationOutcome,
  Page,
} from '@heliograph/contract';
import { isUuid, parseMoney, type OperationReason } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { namedUsersSql } from '../../core/auth/owners.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { isWhole, totals } from '../../core/db/find-page.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { AssessedRow, FoundAccount } from './assess-rows.ts';

type Query = In<typeof billingOperations.rows>['query'];

/** A row that is to be entered. */
export interface OpenRow {
  id: string;
  accountId: string;
  currency: string;
  amount: string;
  comment: string | null;
  /** The account is within the scope, and its currency is the previewed one. */
  isWithin: boolean;
  hasCurrency: boolean;
}

/** A row of the report. */
export interface ReportRow {
  n: number;
  account: string;
  username: string | null;
  amount: string | null;
  currency: string | null;
  comment: string | null;
  outcome: OperationOutcome;
  reason: OperationReason | null;
}

const CURRENCY = `coalesce(u.settings #>> '{billings,currency}', `;

@Injectable()
export class OperationRowsStore {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
  ) {}

  /** Account holders within a scope by id, username or e-mail; upper and lower case are equal. */
  async accounts(scope: AccessScope, names: string[]): Promise<Map<string, FoundAccount[]>> {
    const [ids, words] = [names.filter(isUuid), names.filter((name) => !isUuid(name))];
    const values: unknown[] = [ids, words, this.config.CURRENCY];
    const within = scopeSql(scope, 'u.id', (value) => `$${values.push(value)}`);
    const rows = await this.db.query<{
      name: string;
      id: string;
      currency: string;
      available: string;
    }>(
      `select w.name, u.id, ${CURRENCY}$3) as currency, coalesce(m.balance + m.overdraft, 0)::text as available
         from ${namedUsersSql('$1', '$2')} w
         join users u on u.id = w.id and u.owner_id = u.id
         left join balances m on m.owner_id = u.id
        where ${within}`,
      values,
    );
    const found = new Map<string, FoundAccount[]>();
    for (const { name, id, currency, available } of rows) {
      const account = { id, currency, available: parseMoney(available) };
      found.set(name, [...(found.get(name) ?? []), account]);
    }
    // Postgres writes ids in lower case.
    for (const id of ids)
      if (found.has(id.toLowerCase())) found.set(id, found.get(id.toLowerCase())!);
    return found;
  }

  async add(operationId: string, rows: AssessedRow[]): Promise<void> {
    await this.db.query(
      `insert into billing_operation_rows (operation_id, n, account, account_id, currency, amount, comment, is_repeated, outcome, reason)
       select $1, r.n, r.account, r.account_id, r.currency, r.amount, r.comment, r.is_repeated, case when r.reason is not null then 'refused' end, r.reason
         from unnest($2::int[], $3::text[], $4::uuid[], $5::text[], $6::numeric[], $7::text[], $8::boolean[], $9::text[])
           as r(n, account, account_id, currency, amount, comment, is_repeated, reason)`,
      [
        operationId,
        rows.map((r) => r.n),
        rows.map((r) => r.account),
        rows.map((r) => r.accountId),
        rows.map((r) => r.currency),
        rows.map((r) => r.amount),
        rows.map((r) => r.comment),
        rows.map((r) => r.isRepeated),
        rows.map((r) => r.reason),
      ],
    );
  }

  /** The caller has checked that the actor may read the operation. */
  async find(operationId: string, query: Query): Promise<Page<BillingOperationRow>> {
    const { hasProblem } = query.filter;
    const where =
      hasProblem === undefined
        ? 'true'
        : `r.outcome ${hasProblem ? '=' : 'is distinct from'} 'refused'`;
    const direction = query.order[0]!.direction;
    const data = await this.db.query<BillingOperationRow>(
      `select r.id, r.n, r.account, case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end as "Owner",
              r.currency, r.amount::float8 as amount, r.comment, r.is_repeated as "isRepeated", r.outcome, r.reason
         from billing_operation_rows r left join users u on u.id = r.account_id
        where r.operation_id = $1 and ${where} order by r.n ${direction} limit $2 offset $3`,
      [operationId, query.limit, query.offset],
    );
    if (isWhole(data, query)) return { data, ...totals(data.length, query) };
    const [count] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from billing_operation_rows r where r.operation_id = $1 and ${where}`,
      [operationId],
    );
    return { data, ...totals(count!.n, query) };
  }

  /** The next rows without an outcome, in the order of the file, and whether they may still be entered. */
  async open(operationId: string, scope: AccessScope, limit: number): Promise<OpenRow[]> {
    const values: unknown[] = [operationId, this.config.CURRENCY, limit];
    const within = scopeSql(scope, 'r.account_id', (value) => `$${values.push(value)}`);
    return this.db.query<OpenRow>(
      `select r.id, r.account_id as "accountId", r.currency, r.amount::text as amount, r.comment,
              ${within} as "isWithin", ${CURRENCY}$2) = r.currency as "hasCurrency"
         from billing_operation_rows r join users u on u.id = r.account_id
        where r.operation_id = $1 and r.outcome is null order by r.n limit $3`,
      values,
    );
  }

  async setOutcomes(rows: { id: string; reason: OperationReason | null }[]): Promise<void> {
    await this.db.query(
      `update billing_operation_rows r set outcome = case when d.reason is null then 'applied' else 'refused' end, reason = d.reason
         from unnest($1::uuid[], $2::text[]) as d(id, reason) where r.id = d.id`,
      [rows.map(({ id }) => id), rows.map(({ reason }) => reason)],
    );
  }

  /** Ends the rows that are left. Returns how many. */
  async close(
    operationId: string,
    outcome: OperationOutcome,
    reason: OperationReason,
  ): Promise<number> {
    return this.db.execute(
      `update billing_operation_rows set outcome = $2, reason = $3 where operation_id = $1 and outcome is null`,
      [operationId, outcome, reason],
    );
  }

  /** `isForbidden`: the user lost its permission before the last row. */
  async counts(
    operationId: string,
  ): Promise<Record<OperationOutcome, number> & { isForbidden: boolean }> {
    const [row] = await this.db.query<Record<OperationOutcome, number> & { isForbidden: boolean }>(
      `select count(*) filter (where outcome = 'applied')::int as applied, count(*) filter (where outcome = 'refused')::int as refused,
              count(*) filter (where outcome = 'cancelled')::int as cancelled, coalesce(bool_or(reason = 'forbidden'), false) as "isForbidden"
         from billing_operation_rows where operation_id = $1`,
      [operationId],
    );
    return row!;
  }

  report(operationId: string, after: number, limit: number): Promise<ReportRow[]> {
    return this.db.query<ReportRow>(
      `select r.n, r.account, u.username, r.amount::text as amount, r.currency, r.comment, r.outcome, r.reason
         from billing_operation_rows r left join users u on u.id = r.account_id
        where r.operation_id = $1 and r.n > $2 order by r.n limit $3`,
      [operationId, after, limit],
    );
  }
}
