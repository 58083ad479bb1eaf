import { Injectable } from '@nestjs/common';
import type { companies, DocumentType, Page } from '@heliograph/contract';
import { DEFAULT_TEMPLATES, DOCUMENT_TYPES, hasVat, TAX_SYSTEMS } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { scopeSql, systemScope, type AccessScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { binder, contains, equals, type Bind, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Company, type CompanyRow } from './company.entity.ts';

type Query = In<typeof companies.find>['query'];

/** The titles of the templates of a new company. */
const TITLES = { contract: 'Договор', invoice: 'Счёт на оплату', act: 'Акт' } as const;

const WITH_VAT = TAX_SYSTEMS.filter(hasVat);
const hasTemplate = (type: string) =>
  `exists (select 1 from document_templates t where t.company_id = c.id and t.is_active and t.type = ${type})`;

/** Companies that issue documents to an account: those of every account, its own and those of its reseller. */
const issuesTo = (account: string) =>
  `(c.owner_id is null or c.owner_id in (select unnest(array[u.id, u.reseller_id]) from users u where u.id = ${account}))`;

@Injectable()
export class CompaniesStore extends Store<Company, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'c.createdAt', title: 'c.title', updatedAt: 'c.updatedAt' },
    filter: {
      vat: (vat, bind) => `(c.tax_system = any(${bind(WITH_VAT)})) = ${bind(vat)}`,
      isActive: equals('c.is_active'),
      type: (types, bind) => types.map((type) => hasTemplate(bind(type))).join(' and '),
      OwnerId: (id, bind) => (id === null ? 'c.owner_id is null' : `c.owner_id = ${bind(id)}`),
      customerId: (id, bind) => issuesTo(bind(id)),
    },
    range: { createdAt: 'c.created_at' },
    search: contains('c.title', `c.data #>> '{legal,name}'`, `c.data #>> '{legal,inn}'`),
  };

  constructor(db: Db) {
    super(db, Company, 'c');
  }

  async findWithTypes(scope: AccessScope, query: Query): Promise<Page<CompanyRow>> {
    const page = await this.find(scope, query);
    return { ...page, data: await this.withTypes(page.data) };
  }

  async getWithTypes(scope: AccessScope, id: string): Promise<CompanyRow> {
    return (await this.withTypes([await this.get(scope, id)]))[0]!;
  }

  /** An active company that issues documents to an account. */
  issuer(OwnerId: string, id: string): Promise<Company | null> {
    return this.one(systemScope, id)
      .andWhere(issuesTo(':OwnerId'), { OwnerId })
      .andWhere('c.is_active')
      .getOne();
  }

  async addDefaultTemplates({ id, OwnerId }: Company): Promise<void> {
    const templates = DOCUMENT_TYPES.map((type) => ({
      type,
      title: TITLES[type],
      blocks: DEFAULT_TEMPLATES[type],
    }));
    await this.db.query(
      `insert into document_templates (owner_id, company_id, type, title, blocks)
       select $1, $2, t.type, t.title, t.blocks from jsonb_to_recordset($3::jsonb) as t(type text, title text, blocks jsonb)`,
      [OwnerId, id, JSON.stringify(templates)],
    );
  }

  /** Whether a company issued documents. */
  async isUsed(id: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from invoice_counters where company_id = $1 limit 1`,
      [id],
    );
    return rows.length > 0;
  }

  private async withTypes(rows: Company[]): Promise<CompanyRow[]> {
    const found = await this.db.query<{ id: string; types: DocumentType[] }>(
      `select company_id as id, array_agg(type order by type) as types
         from document_templates where company_id = any($1) and is_active group by company_id`,
      [rows.map(({ id }) => id)],
    );
    const types = new Map(found.map((row) => [row.id, row.types]));
    return rows.map((row) => Object.assign(row, { types: types.get(row.id) ?? [] }));
  }

  /** Readers also see the companies that issue documents to them. */
  protected override rows(scope: AccessScope): SelectQueryBuilder<Company> {
    const rows = this.db.manager.getRepository(Company).createQueryBuilder(this.alias);
    return rows.where(visibleSql(scope, binder(rows as never)));
  }
}

function visibleSql(scope: AccessScope, bind: Bind): string {
  const own = scopeSql(scope, 'c.owner_id', bind);
  return scope.kind === 'all' ? own : `(${own} or ${issuesTo(bind(scope.OwnerId))})`;
}
