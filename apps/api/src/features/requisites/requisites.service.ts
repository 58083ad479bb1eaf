import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { requisites } from '@heliograph/contract';
import { ownScope, systemScope, type AccessScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { StorageService } from '../storage/storage.service.ts';
import { present, type Requisite } from './requisite.entity.ts';
import { requisiteValues, titleOf } from './requisite-values.ts';
import { REQUISITES_QUOTA, RequisitesStore } from './requisites.store.ts';

type Input = In<typeof requisites.create>['body'];
type Changes = In<typeof requisites.update>['body'];

@Injectable()
export class RequisitesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: RequisitesStore,
    private readonly owners: Owners,
    private readonly quotas: Quotas,
    private readonly storage: StorageService,
    private readonly events: Events,
    private readonly audit: Audit,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'requisites',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  get(scope: AccessScope, id: string): Promise<Requisite> {
    return this.store.get(scope, id);
  }

  create(actor: Actor, input: Input): Promise<Requisite> {
    const { OwnerId = actor.OwnerId, title, attachments, type, isActive } = input;
    return this.db.transaction(async () => {
      // Checked before the insert as well, so that calls above the limit do not queue for its lock.
      await this.quotas.requireRoom(REQUISITES_QUOTA, OwnerId, 1);
      if (attachments) await this.storage.require(ownScope(OwnerId), attachments);
      const values = requisiteValues(input);
      const row = await this.store.create({
        ...values,
        OwnerId,
        title: title ?? titleOf(values.data!.legal),
        attachments,
        type,
        isActive,
      });
      await this.quotas.check(REQUISITES_QUOTA, OwnerId);
      await this.audit.record({ OwnerId, target: ['requisites', row.id], after: facts(row) });
      this.events.changed('requisites', 'created', OwnerId, row.id);
      return row;
    });
  }

  /** A title that was derived from the name follows the name. */
  update(actor: Actor, id: string, { title, ...changes }: Changes): Promise<Requisite> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { OwnerId } = row;
      const before = facts(row);
      if (changes.attachments) await this.storage.require(ownScope(OwnerId), changes.attachments);
      const values = requisiteValues(changes);
      const isDerived = row.title === titleOf(row.data.legal);
      const derived = isDerived && values.data ? titleOf(values.data.legal) : undefined;
      const { attachments, isActive, type } = changes;
      const changed = await this.store.update(actor.scope, id, {
        ...values,
        title: title ?? derived,
        attachments,
        isActive,
        type,
      });
      await this.audit.record({
        OwnerId,
        target: ['requisites', id],
        before,
        after: facts(changed),
      });
      this.events.changed('requisites', 'updated', OwnerId, id);
      return changed;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['requisites', id], before: facts(row) });
      this.events.changed('requisites', 'removed', OwnerId, id);
      return { id };
    });
  }
}

/** The fields of the audit log: what a payment could be misdirected by, without data of persons. */
function facts({ title, isActive, data: { legal, bank, tax } }: Requisite) {
  return { title, isActive, legal, bank, vat: tax.vat };
}
