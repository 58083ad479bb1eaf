import { Injectable } from '@nestjs/common';
import { MAX_PENDING_INVOICES, type invoices, type Page } from '@heliograph/contract';
import type { InvoiceType } from '@heliograph/domain';
import { ownScope, type AccessScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { alongIds } from '../../../core/db/along-ids.ts';
import {
  conditions,
  contains,
  equals,
  findByTimeOrAmount,
  type Bind,
  type ListSql,
} from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { EmailTable } from '../../../core/mail/due-emails.store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import type { Quota } from '../../../core/quotas.ts';
import { Invoice } from './invoice.entity.ts';

type Query = In<typeof invoices.find>['query'];

const valueOf = (query: Query) =>
  query.order[0]!.field === 'amount' ? 'i.amount' : 'i.created_at';

/** Each invoice has a document, so unpaid ones are bounded. */
export const PENDING_QUOTA: Quota = {
  name: 'invoices',
  isUnfinished: true,
  limit: () => MAX_PENDING_INVOICES,
  used: `select count(*)::float8 as used from invoices where owner_id = $1 and status = 'pending'`,
};

/** Their sending by e-mail. */
export const INVOICE_EMAILS: EmailTable = {
  table: 'invoices',
  id: 'id',
  due: 'email_due',
  tries: 'email_attempts',
  isKept: true,
};

@Injectable()
export class InvoicesStore extends Store<Invoice, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'i.createdAt', amount: 'i.amount' },
    filter: {
      id: equals('i.id'),
      type: equals('i.type'),
      status: equals('i.status'),
      companyId: equals('i.company_id'),
      docNumber: equals('i.doc_number'),
      OwnerId: equals('i.owner_id'),
    },
    range: { createdAt: 'i.created_at' },
    search: contains('i.doc_number', `(i.snapshot #>> '{titles,requisite}')`),
  };

  constructor(db: Db) {
    super(db, Invoice, 'i');
  }

  /** Time and amount have an index each, for one owner and for all. */
  override find(scope: AccessScope, query: Query): Promise<Page<Invoice>> {
    return findByTimeOrAmount(this.db, query, {
      isTimeInId: false,
      isLasting: !query.filter.status && !query.search,
      along: (by, bind, take) =>
        this.along(scope, query, bind, take, by === 'amount' ? 'i.amount' : 'i.created_at'),
      load: (ids) => this.byIds(scope, ids),
    });
  }

  /** A status has indexes by time. */
  private along(scope: AccessScope, query: Query, bind: Bind, take: string, by: string): string {
    const { OwnerId, status, ...filter } = query.filter;
    const byStatus = by === 'i.created_at' && status?.map((name) => `i.status = ${bind(name)}`);
    const others = byStatus ? filter : { ...filter, status };
    const where = conditions(this.list, { ...query, filter: others }, bind);
    const isWhole = scope.kind === 'all' && !OwnerId;
    const along = filter.id || filter.docNumber || isWhole ? 'rows' : 'owners';
    const owner = { scope, OwnerId, along } as const;
    const columns = `i.id, ${valueOf(query)} as value`;
    const rows = { from: 'invoices i', alias: 'i', columns, by, parts: byStatus || [null], where };
    const { direction } = query.order[0]!;
    return alongIds({ ...owner, ...rows, direction, take }, bind);
  }

  /**
   * The next number of a company and year. Its counter stays locked until the transaction ends: a number is taken if and only if its
   * document is committed.
   */
  async nextNumber(CompanyId: string, type: InvoiceType, year: number): Promise<number> {
    const [row] = await this.db.query<{ last: number }>(
      `insert into invoice_counters (company_id, type, year, last) values ($1, $2, $3, 1)
       on conflict (company_id, type, year) do update set last = invoice_counters.last + 1 returning last`,
      [CompanyId, type, year],
    );
    return row!.last;
  }

  async usernameOf(OwnerId: string): Promise<string> {
    const [row] = await this.db.query<{ username: string }>(
      `select username from users where id = $1`,
      [OwnerId],
    );
    return row!.username;
  }

  /** Invoices whose document was not made, because the process that issued them stopped. */
  async unmade(before: Date, limit: number): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select id from invoices where made_at is null and updated_at < $1 order by updated_at limit $2`,
      [before, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Behind the others that have no document. */
  async postpone(id: string, now: Date): Promise<void> {
    await this.db.query(`update invoices set updated_at = $2 where id = $1`, [id, now]);
  }

  async hasFile({ OwnerId, DocumentId }: Invoice): Promise<boolean> {
    const rows = await this.db.query(`select 1 from files where id = $1 and owner_id = $2`, [
      DocumentId,
      OwnerId,
    ]);
    return rows.length > 0;
  }

  /** The latest paid invoice of an account: the company and the requisite of its acts. */
  lastPaid(OwnerId: string): Promise<Invoice | null> {
    return this.rows(ownScope(OwnerId))
      .andWhere(`i.type = 'invoice' and i.status = 'paid' and i.requisite_id is not null`)
      .orderBy('i.created_at', 'DESC')
      .limit(1)
      .getOne();
  }
}
