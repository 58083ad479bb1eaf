import { Injectable } from '@nestjs/common';
import type { CatalogueTariff, Page, TariffInput, tariffs, UserTariff } from '@heliograph/contract';
import type * as z from 'zod';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import {
  presentAccountTariff,
  presentInCatalogue,
  type AccountTariff,
  type Tariff,
} from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

/** Tariffs as administrators set them. Prices follow within a second. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly db: Db,
    private readonly store: TariffsStore,
    private readonly owners: Owners,
    private readonly audit: Audit,
    private readonly events: Events,
  ) {}

  async find(query: In<typeof tariffs.catalogue>['query']): Promise<Page<CatalogueTariff>> {
    const page = await this.store.findAll(query);
    const details = await this.store.details(page.data.map(({ id }) => id));
    return { ...page, data: page.data.map((row) => presentInCatalogue(row, details.get(row.id)!)) };
  }

  create(input: TariffInput): Promise<CatalogueTariff> {
    return this.db.transaction(async () => {
      const id = await this.store.write(null, input);
      const after = await this.present(await this.store.lockAny(id));
      await this.audit.record({ target: ['tariffs', id], after: audited(after) });
      return after;
    });
  }

  replace(id: string, input: TariffInput): Promise<CatalogueTariff> {
    return this.db.transaction(async () => {
      const before = await this.present(await this.store.lockAny(id));
      await this.store.write(id, input);
      const after = await this.present(await this.store.lockAny(id));
      const states = { before: audited(before), after: audited(after) };
      await this.audit.record({ target: ['tariffs', id], ...states });
      return after;
    });
  }

  /** Refused while an account has it, or new ones would. */
  remove(id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const before = await this.present(await this.store.lockAny(id));
      if (before.accounts || before.isDefault)
        throw new AppError('in_use', 'Accounts have this tariff, or new ones get it');
      await this.store.removeAny(id);
      await this.audit.record({ target: ['tariffs', id], before: audited(before) });
      return { id };
    });
  }

  async assign(
    { scope }: Actor,
    OwnerId: string,
    given: { id: string; priority: number }[],
  ): Promise<z.infer<typeof UserTariff>[]> {
    if (!(await this.owners.within(scope, OwnerId))) throw notFound();
    const ids = new Set(given.map(({ id }) => id));
    if (ids.size < given.length)
      throw invalid('tariffs', 'unique', 'A tariff can be assigned only once.');
    return this.db.transaction(async () => {
      const before = await this.store.held(OwnerId);
      if ((await this.store.assign(OwnerId, given)) < given.length)
        throw invalid('tariffs', 'invalid_value', 'One of the tariffs does not exist.');
      const after = await this.store.held(OwnerId);
      const states = { before: { tariffs: names(before) }, after: { tariffs: names(after) } };
      await this.audit.record({ OwnerId, target: ['users', OwnerId], ...states });
      this.events.counted('tariffs', 'updated', OwnerId, null, given.length || 1);
      return after.map(presentAccountTariff);
    });
  }

  private async present(row: Tariff): Promise<CatalogueTariff> {
    return presentInCatalogue(row, (await this.store.details([row.id])).get(row.id)!);
  }
}

/** Without the ids of rules, which every change replaces. */
const audited = ({ title, source, isDefault, rules }: CatalogueTariff) => ({
  title,
  source,
  isDefault,
  rules: rules.map(({ action, price, conditions, priority }) => ({
    action,
    price,
    conditions,
    priority,
  })),
});

const names = (held: AccountTariff[]) =>
  held.map(({ title, priority }) => `${title} (${priority})`);
