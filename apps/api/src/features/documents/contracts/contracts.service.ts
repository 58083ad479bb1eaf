import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { contracts } from '@heliograph/contract';
import { Audit } from '../../../core/audit/audit.ts';
import { ownScope, systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { present, type Contract } from './contract.entity.ts';
import { ContractsStore, type Sides } from './contracts.store.ts';

type Changes = In<typeof contracts.update>['body'];

/** The contracts of accounts with companies, each with its document. */
@Injectable()
export class ContractsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: ContractsStore,
    private readonly storage: StorageService,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly audit: Audit,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'contracts',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** The contract of two sides has the document that was made last; its title and tags stay. */
  keep(sides: Sides, { title, FileId }: Pick<Contract, 'title' | 'FileId'>): Promise<Contract> {
    const { OwnerId } = sides;
    const scope = ownScope(OwnerId);
    return this.db.transaction(async () => {
      await this.store.serialize(sides);
      const former = await this.store.lockOf(sides);
      const row = former
        ? await this.store.update(scope, former.id, { FileId })
        : await this.store.create({ ...sides, title, FileId });
      if (former) await this.storage.removeUnused(scope, former.FileId);
      else await this.record('contracts.create', row, undefined, facts(row));
      this.events.changed('contracts', former ? 'updated' : 'created', OwnerId, row.id);
      return row;
    });
  }

  update(actor: Actor, id: string, changes: Changes): Promise<Contract> {
    return this.db.transaction(async () => {
      const before = facts(await this.store.lock(actor.scope, id));
      const row = await this.store.update(actor.scope, id, changes);
      await this.record('contracts.update', row, before, facts(row));
      this.events.changed('contracts', 'updated', row.OwnerId, id);
      return row;
    });
  }

  /** With its document. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      await this.store.lock(actor.scope, id);
      const row = await this.store.remove(actor.scope, id);
      await this.storage.removeUnused(ownScope(row.OwnerId), row.FileId);
      await this.record('contracts.remove', row, facts(row));
      this.events.changed('contracts', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  private record(action: string, row: Contract, before?: object, after?: object): Promise<void> {
    const { id, OwnerId } = row;
    return this.audit.record({ action, OwnerId, target: ['contracts', id], before, after });
  }
}

const facts = ({ title, tags, RequisiteId, CompanyId }: Contract) => ({
  title,
  tags: tags.join(', '),
  RequisiteId,
  CompanyId,
});
