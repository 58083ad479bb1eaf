import { Injectable } from '@nestjs/common';
import type {
  CatalogueTariff,
  Page,
  TariffChange,
  TariffInput,
  TariffRule,
  tariffs,
  TariffVersion,
  UserTariff,
} from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Quotas } from '../../core/quotas.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import type { In } from '../../core/http/endpoint.ts';
import {
  presentAccountTariff,
  presentInCatalogue,
  presentVersion,
  type AccountTariff,
  type Tariff,
} from './tariff.entity.ts';
import { CatalogueStore, TARIFFS_QUOTA, type NamedTariff, type Setter } from './catalogue.store.ts';
import type { ComparedTariff } from './tariffs.service.ts';
import { TariffsStore } from './tariffs.store.ts';

type Rule = Omit<TariffRule, 'id'>;

/** Changes of tariffs by a reseller per hour: each may add a version, and versions stay. */
const LIMIT = 120;
/** Tariffs of a reseller that one customer has: prices by texts are looked up in all of them for each message. */
const MAX_ASSIGNED = 5;

/** Tariffs as administrators set them. Prices follow within a second. */
@Injectable()
export class CatalogueService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: TariffsStore,
    private readonly catalogue: CatalogueStore,
    private readonly owners: Owners,
    private readonly audit: Audit,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    limits: RateLimits,
  ) {
    this.limit = limits.of('tariffs', LIMIT, 3600);
  }

  async find(
    actor: Actor,
    query: In<typeof tariffs.catalogue>['query'],
  ): Promise<Page<CatalogueTariff>> {
    const page = await this.catalogue.find(setterOf(actor), query);
    const details = await this.catalogue.details(page.data.map(({ id }) => id));
    return { ...page, data: page.data.map((row) => presentInCatalogue(row, details.get(row.id)!)) };
  }

  async get(actor: Actor, id: string): Promise<CatalogueTariff> {
    return this.present(await this.catalogue.get(setterOf(actor), id));
  }

  async versions(
    actor: Actor,
    id: string,
    query: In<typeof tariffs.versions>['query'],
  ): Promise<Page<TariffVersion>> {
    await this.catalogue.get(setterOf(actor), id);
    const { data, total } = await this.catalogue.versions(id, query);
    const { limit, offset } = query;
    return { data: data.map(presentVersion), total, limit, offset };
  }

  /** A tariff with the rules of a version, by default of the one in force. */
  async compared(
    actor: Actor,
    { TariffId, version }: { TariffId: string; version?: number },
  ): Promise<ComparedTariff> {
    const { id, title, source, ResellerId } = await this.catalogue.get(setterOf(actor), TariffId);
    const found = await this.catalogue.version(id, version);
    if (!found) throw notFound();
    // Messages of a period are compared by the prices before volume steps.
    const { number: priced, rules } = found;
    return { id, title, source, ResellerId, version: priced, rules, volumeSteps: [] };
  }

  create(actor: Actor, input: TariffInput): Promise<CatalogueTariff> {
    const setter = defaultsChecked(actor, input);
    return this.db.transaction(async () => {
      const id = await this.catalogue.insert(setter, input);
      if (setter) await this.quotas.check(TARIFFS_QUOTA, setter);
      const { rules, volumeSteps = [] } = input;
      await this.catalogue.fillFirst(id, { rules, volumeSteps }, actor.userId);
      const after = await this.present(await this.catalogue.lock(setter, id));
      await this.audit.record({ target: ['tariffs', id], after: audited(after) });
      return after;
    });
  }

  /** The same rules and volume steps make no version, unless they start later. Steps that are not given stay. */
  async replace(
    actor: Actor,
    id: string,
    { startsAt, ...input }: TariffChange,
  ): Promise<CatalogueTariff> {
    const setter = defaultsChecked(actor, input);
    if (setter) await take(this.limit, setter);
    return this.db.transaction(async () => {
      const before = await this.present(await this.catalogue.lock(setter, id));
      if (input.source !== before.source)
        throw invalid('source', 'invalid_value', 'The source of a tariff cannot be changed.');
      const start = startsAt ? new Date(startsAt) : null;
      if (start && start <= this.clock.now())
        throw invalid('startsAt', 'past', 'A version starts in the future, or at once.');
      await this.catalogue.rename(id, input);
      const rules = input.rules.map(presentable);
      const { volumeSteps = before.volumeSteps } = input;
      const isSame =
        isDeepStrictEqual(sorted(rules), before.rules.map(withoutId)) &&
        isDeepStrictEqual(volumeSteps, before.volumeSteps);
      if (start || !isSame)
        await this.catalogue.addVersion(
          id,
          { rules: input.rules, volumeSteps },
          start,
          actor.userId,
        );
      const after = await this.present(await this.catalogue.lock(setter, id));
      const stored = start ? { ...after, rules, volumeSteps, startsAt } : after;
      const states = { before: audited(before), after: audited(stored) };
      await this.audit.record({ target: ['tariffs', id], ...states });
      return after;
    });
  }

  /** A version that has started stays. */
  withdraw(actor: Actor, id: string, number: number): Promise<{ id: string }> {
    const setter = setterOf(actor);
    return this.db.transaction(async () => {
      await this.catalogue.lock(setter, id);
      if (!(await this.catalogue.withdraw(id, number)))
        throw new AppError('conflict', 'There is no such version, or it has started');
      await this.audit.record({ target: ['tariffs', id], before: { version: number } });
      return { id };
    });
  }

  /** Refused while an account has it, or new ones would. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    const setter = setterOf(actor);
    return this.db.transaction(async () => {
      const before = await this.present(await this.catalogue.lock(setter, id));
      if (before.accounts || before.isDefault)
        throw new AppError('in_use', 'Accounts have this tariff, or new ones get it');
      await this.catalogue.remove(id);
      await this.audit.record({ target: ['tariffs', id], before: audited(before) });
      return { id };
    });
  }

  /** The tariffs that texts name by title or id, and those that accounts have; for a reseller, of its own. */
  async forFile(
    actor: Actor,
    names: string[],
    owners: string[],
  ): Promise<{
    named: Map<string, NamedTariff[]>;
    held: Map<string, { id: string; title: string }[]>;
  }> {
    const setter = setterOf(actor);
    return {
      named: await this.catalogue.named(setter, names),
      held: await this.store.heldBy(setter, owners),
    };
  }

  async assign(
    actor: Actor,
    OwnerId: string,
    given: { id: string; priority: number }[],
  ): Promise<z.infer<typeof UserTariff>[]> {
    const setter = setterOf(actor);
    if (!(await this.owners.within(actor.scope, OwnerId))) throw notFound();
    if (setter === OwnerId) throw new AppError('forbidden', 'You cannot set your own prices');
    const ids = new Set(given.map(({ id }) => id));
    if (ids.size < given.length)
      throw invalid('tariffs', 'unique', 'A tariff can be assigned only once.');
    if (setter && given.length > MAX_ASSIGNED)
      throw invalid(
        'tariffs',
        'too_big',
        `A customer has at most ${MAX_ASSIGNED} of your tariffs.`,
      );
    return this.db.transaction(async () => {
      const before = await this.store.held(OwnerId);
      if ((await this.catalogue.assign(setter, OwnerId, given)) < given.length)
        throw invalid('tariffs', 'invalid_value', 'One of the tariffs does not exist.');
      const after = await this.store.held(OwnerId);
      const states = { before: { tariffs: names(before) }, after: { tariffs: names(after) } };
      await this.audit.record({ OwnerId, target: ['users', OwnerId], ...states });
      this.events.counted('tariffs', 'updated', OwnerId, null, given.length || 1);
      return after.map(presentAccountTariff);
    });
  }

  private async present(row: Tariff): Promise<CatalogueTariff> {
    return presentInCatalogue(row, (await this.catalogue.details([row.id])).get(row.id)!);
  }
}

const withoutId = ({ id: _, ...rule }: Rule & { id?: string }): Rule => rule;

/** A rule as it is read again. */
const presentable = (rule: Rule): Rule => {
  const price = [rule.price].flat();
  return withoutId({ ...rule, price: price.length === 1 ? price[0]! : price });
};

/** In order of precedence; that of equals stays. */
const sorted = (rules: Rule[]) => rules.toSorted((a, b) => b.priority - a.priority);

type State = Pick<CatalogueTariff, 'title' | 'source' | 'isDefault' | 'volumeSteps'> & {
  rules: Rule[];
  startsAt?: string;
};

/** A reseller sets the prices of its customers; others whom the permission is granted, all. */
export const setterOf = ({ level, OwnerId }: Pick<Actor, 'level' | 'OwnerId'>): Setter =>
  level === 'reseller' ? OwnerId : null;

function defaultsChecked(actor: Actor, { isDefault }: Pick<TariffInput, 'isDefault'>): Setter {
  const setter = setterOf(actor);
  if (setter && isDefault)
    throw invalid('isDefault', 'invalid_value', 'Your tariffs are not for all new accounts.');
  return setter;
}

/** Without the ids of rules, which every version has anew. */
const audited = ({ title, source, isDefault, rules, volumeSteps, startsAt }: State) => ({
  title,
  source,
  isDefault,
  rules: rules.map(withoutId),
  ...(volumeSteps.length && { volumeSteps }),
  ...(startsAt && { startsAt }),
});

const names = (held: AccountTariff[]) =>
  held.map(({ title, priority }) => `${title} (${priority})`);
