import { Injectable } from '@nestjs/common';
import type { companies } from '@heliograph/contract';
import { Audit } from '../../../core/audit/audit.ts';
import type { AccessScope, Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { CompaniesStore } from './companies.store.ts';
import type { Company, CompanyRow } from './company.entity.ts';

type Input = In<typeof companies.create>['body'];
type Changes = In<typeof companies.update>['body'];

@Injectable()
export class CompaniesService {
  constructor(
    private readonly db: Db,
    private readonly store: CompaniesStore,
    private readonly owners: Owners,
    private readonly audit: Audit,
  ) {}

  /** With the default templates, so that it can issue documents at once. */
  create(actor: Actor, { OwnerId = null, ...fields }: Input): Promise<CompanyRow> {
    refuseGlobal(actor, OwnerId);
    return this.db.transaction(async () => {
      const row = await this.store.create({ ...fields, OwnerId });
      await this.store.addDefaultTemplates(row);
      await this.record(row, undefined, fields);
      return this.store.getWithTypes(actor.scope, row.id);
    });
  }

  update(actor: Actor, id: string, changes: Changes): Promise<CompanyRow> {
    return this.db.transaction(async () => {
      const before = await this.lockWritable(actor, id);
      const known = { title: before.title, taxSystem: before.taxSystem, data: before.data };
      await this.store.update(actor.scope, id, changes);
      await this.record(before, { ...known, isActive: before.isActive }, { ...known, ...changes });
      return this.store.getWithTypes(actor.scope, id);
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.lockWritable(actor, id);
      if (await this.store.isUsed(id))
        throw new AppError('conflict', 'The company issued documents. Deactivate it instead');
      await this.store.remove(actor.scope, id);
      await this.record(row, { title: row.title });
      return { id };
    });
  }

  get(scope: AccessScope, id: string): Promise<Company> {
    return this.store.get(scope, id);
  }

  /** An active company that issues documents to an account; null if there is none with this id. */
  issuer(OwnerId: string, id: string): Promise<Company | null> {
    return this.store.issuer(OwnerId, id);
  }

  /** Locks a company that the actor may change. Companies of every account are changed by administrators only. */
  async lockWritable(actor: Actor, id: string): Promise<Company> {
    const row = await this.store.lock(actor.scope, id);
    refuseGlobal(actor, row.OwnerId);
    // A reader also sees the companies of its reseller.
    if (row.OwnerId && !(await this.owners.within(actor.scope, row.OwnerId)))
      throw new AppError('forbidden', 'Only the account of a company can change it');
    return row;
  }

  private record({ id, OwnerId }: Company, before?: object, after?: object): Promise<void> {
    return this.audit.record({ OwnerId, target: ['companies', id], before, after });
  }
}

function refuseGlobal(actor: Actor, OwnerId: string | null): void {
  if (!OwnerId && actor.scope.kind !== 'all')
    throw new AppError('forbidden', 'Only administrators can change companies of all accounts');
}
