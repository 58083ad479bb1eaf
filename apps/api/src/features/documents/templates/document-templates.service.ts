import { Injectable } from '@nestjs/common';
import type { documentTemplates, Page } from '@heliograph/contract';
import { sampleDocument, type DocumentType } from '@heliograph/domain';
import { Audit } from '../../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { CompaniesService } from '../companies/companies.service.ts';
import { sellerFacts } from '../companies/company.entity.ts';
import { StorageService } from '../../storage/storage.service.ts';
import type { DocumentTemplate, DocumentTemplateRow } from './document-template.entity.ts';
import { DocumentTemplatesStore } from './document-templates.store.ts';
import { makePdf } from '../pdf/make-pdf.ts';

type Input = In<typeof documentTemplates.create>['body'];
type Changes = In<typeof documentTemplates.update>['body'];
type Preview = In<typeof documentTemplates.preview>['body'];

const PREVIEW_MS = 600_000;

@Injectable()
export class DocumentTemplatesService {
  constructor(
    private readonly db: Db,
    private readonly store: DocumentTemplatesStore,
    private readonly companies: CompaniesService,
    private readonly storage: StorageService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async find(
    actor: Actor,
    query: In<typeof documentTemplates.find>['query'],
  ): Promise<Page<DocumentTemplateRow>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.store.withCompanies(page.data) };
  }

  async get(actor: Actor, id: string): Promise<DocumentTemplateRow> {
    return this.shown(await this.store.get(actor.scope, id));
  }

  /** The template that documents of a company are made with; null if there is none. */
  active(CompanyId: string, type: DocumentType): Promise<DocumentTemplate | null> {
    return this.store.active(CompanyId, type);
  }

  create(actor: Actor, body: Input): Promise<DocumentTemplateRow> {
    return this.unlessAnotherIsActive(async () => {
      const { OwnerId } = await this.companies.lockWritable(actor, body.CompanyId);
      const row = await this.store.create({ ...body, OwnerId });
      await this.record(row, undefined, { title: row.title, type: row.type });
      return this.shown(row);
    });
  }

  /** A template that is activated replaces the former one of its type. Documents that were issued keep the blocks that they were made with. */
  update(actor: Actor, id: string, { type, ...changes }: Changes): Promise<DocumentTemplateRow> {
    return this.db.transaction(async () => {
      const { CompanyId } = await this.store.get(actor.scope, id);
      // Locked before the template, so that of two templates activated at once one is active in the end.
      await this.companies.lockWritable(actor, CompanyId);
      const row = await this.store.lock(actor.scope, id);
      if (type && type !== row.type)
        throw invalid('type', 'invalid_value', 'The type of a template does not change.');
      const before = { title: row.title, isActive: row.isActive, blocks: row.blocks };
      if (changes.isActive && !row.isActive) await this.deactivateFormer(row);
      const changed = await this.store.update(actor.scope, id, changes);
      await this.record(row, before, { ...before, ...changes });
      return this.shown(changed);
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { CompanyId } = await this.store.get(actor.scope, id);
      await this.companies.lockWritable(actor, CompanyId);
      const row = await this.store.lock(actor.scope, id);
      if (row.isActive)
        throw new AppError('conflict', 'The template is in use. Activate another one first');
      await this.store.remove(actor.scope, id);
      await this.record(row, { title: row.title, type: row.type });
      return { id };
    });
  }

  /** Stores the document that a template makes of sample data; the file expires. */
  async preview(
    actor: Actor,
    { type, CompanyId, blocks }: Preview,
  ): Promise<{ documentId: string }> {
    const company = await this.companies.get(actor.scope, CompanyId);
    const sample = { ...sampleDocument(type, blocks), seller: sellerFacts(company) };
    const file = await this.storage.saveBytes(actor.OwnerId, await makePdf(sample), {
      filename: `${type}.pdf`,
      expiredAt: new Date(this.clock.now().getTime() + PREVIEW_MS),
    });
    return { documentId: file.id };
  }

  private async deactivateFormer({ CompanyId, type }: DocumentTemplate): Promise<void> {
    const former = await this.store.active(CompanyId, type);
    if (!former) return;
    await this.store.update(systemScope, former.id, { isActive: false });
    await this.record(former, { isActive: true }, { isActive: false });
  }

  private async unlessAnotherIsActive<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.db.transaction(work);
    } catch (error) {
      if (violated(error) !== 'document_templates_active') throw error;
      throw invalid('isActive', 'unique', 'The company has another active template of this type.');
    }
  }

  private async shown(row: DocumentTemplate): Promise<DocumentTemplateRow> {
    return (await this.store.withCompanies([row]))[0]!;
  }

  private record(row: DocumentTemplate, before?: object, after?: object): Promise<void> {
    const target = ['documentTemplates', row.id] as const;
    return this.audit.record({ OwnerId: row.OwnerId, target, before, after });
  }
}
