import { Injectable } from '@nestjs/common';
import type { documentTemplates } from '@heliograph/contract';
import type { DocumentType } from '@heliograph/domain';
import { systemScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { DocumentTemplate, type DocumentTemplateRow } from './document-template.entity.ts';

type Query = In<typeof documentTemplates.find>['query'];

@Injectable()
export class DocumentTemplatesStore extends Store<DocumentTemplate, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 't.createdAt', title: 't.title', updatedAt: 't.updatedAt' },
    filter: { type: equals('t.type'), CompanyId: equals('t.company_id') },
    range: {},
    search: contains('t.title'),
  };

  constructor(db: Db) {
    super(db, DocumentTemplate, 't');
  }

  /** The template that documents of a company are made with; null if there is none. */
  active(CompanyId: string, type: DocumentType): Promise<DocumentTemplate | null> {
    return this.rows(systemScope)
      .andWhere('t.company_id = :CompanyId and t.type = :type and t.is_active', { CompanyId, type })
      .getOne();
  }

  async withCompanies(rows: DocumentTemplate[]): Promise<DocumentTemplateRow[]> {
    const found = await this.db.query<{ id: string; title: string }>(
      `select id, title from companies where id = any($1)`,
      [[...new Set(rows.map(({ CompanyId }) => CompanyId))]],
    );
    const companies = new Map(found.map((company) => [company.id, company]));
    return rows.map((row) => Object.assign(row, { company: companies.get(row.CompanyId)! }));
  }
}
