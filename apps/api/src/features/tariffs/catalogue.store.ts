import { Injectable } from '@nestjs/common';
import type { Page, TariffInput, tariffs } from '@heliograph/contract';
import { isUuid, type VolumeStep } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import { Db } from '../../core/db/db.ts';
import { contains, findPage, type ListSql } from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { Quota } from '../../core/quotas.ts';
import type { In } from '../../core/http/endpoint.ts';
import { IN_FORCE, rulesOf, stepsOf } from './rules-sql.ts';
import { Tariff, type TariffDetails, type TariffVersionRow } from './tariff.entity.ts';

type CatalogueQuery = In<typeof tariffs.catalogue>['query'];
type VersionsQuery = In<typeof tariffs.versions>['query'];

const CATALOGUE: ListSql<CatalogueQuery> = {
  order: { createdAt: 't.createdAt', title: 't.title' },
  filter: {},
  range: {},
  search: contains('t.title'),
};

/** What a version has. */
export interface TariffPrices extends Pick<TariffInput, 'rules'> {
  volumeSteps: VolumeStep[];
}

/** Whose tariffs are seen and changed: those of a reseller, or all. */
export type Setter = string | null;

/** A tariff, and for whose customers it is. */
export type NamedTariff = Pick<Tariff, 'id' | 'title' | 'ResellerId'>;

/** Tariffs of a reseller, those included that were removed. */
export const TARIFFS_QUOTA: Quota = {
  name: 'tariffs',
  limit: () => 500,
  used: `select count(*)::float8 as used from tariffs where reseller_id = $1`,
};

/** Tariffs for those who set prices, also those that other accounts have. */
@Injectable()
export class CatalogueStore {
  constructor(private readonly db: Db) {}

  /** All tariffs, for those who set prices. */
  find(setter: Setter, query: CatalogueQuery): Promise<Page<Tariff>> {
    return findPage(this.db, this.rows(setter), CATALOGUE, query);
  }

  /** The rules and the number of accounts of tariffs. */
  async details(ids: string[]): Promise<Map<string, TariffDetails>> {
    const rows = await this.db.query<TariffDetails & { id: string }>(
      `select t.id, (select count(*)::int from users_tariffs ut join users u on u.id = ut.owner_id
                      where ut.tariff_id = t.id and (t.reseller_id is null or t.reseller_id = u.reseller_id)) as accounts,
              ${IN_FORCE} as version,
              ${rulesOf('t.id', IN_FORCE)} as rules, ${stepsOf('t.id', IN_FORCE)} as "volumeSteps"
         from tariffs t where t.id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...details }) => [id, details]));
  }

  async get(setter: Setter, id: string): Promise<Tariff> {
    return this.one(setter, id).getOne().then(found);
  }

  /** Tariffs by title, in upper or lower case, or by id. A title may be that of several. */
  async named(setter: Setter, names: string[]): Promise<Map<string, NamedTariff[]>> {
    const rows = await this.db.query<NamedTariff & { name: string }>(
      `select n.name, t.id, t.title, t.reseller_id as "ResellerId"
         from (select n, t.id from unnest($1::text[]) n join tariffs t on lower(t.title) = lower(n)
               union
               select i::text, i from unnest($2::uuid[]) i) n (name, id)
         join tariffs t on t.id = n.id and t.removed_at is null and ($3::uuid is null or t.reseller_id = $3)`,
      [names.filter((name) => !isUuid(name)), names.filter(isUuid), setter],
    );
    return Map.groupBy(rows, ({ name }) => name);
  }

  /** Until the transaction ends. */
  async lock(setter: Setter, id: string): Promise<Tariff> {
    return this.one(setter, id).setLock('pessimistic_write').getOne().then(found);
  }

  async insert(setter: Setter, { title, source, isDefault }: TariffInput): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into tariffs (title, source, is_default, reseller_id) values ($1, $2, $3, $4) returning id`,
      [title, source, isDefault, setter],
    );
    return row!.id;
  }

  async rename(
    id: string,
    { title, isDefault }: Pick<TariffInput, 'title' | 'isDefault'>,
  ): Promise<void> {
    await this.db.query(
      `update tariffs set title = $2, is_default = $3, updated_at = now() where id = $1`,
      [id, title, isDefault],
    );
  }

  /** Sets the prices of the first version of a tariff that was just created. */
  async fillFirst(
    id: string,
    { rules, volumeSteps }: TariffPrices,
    createdBy: string,
  ): Promise<void> {
    await this.db.query(
      `update tariff_versions set created_by = $2, volume_steps = $3 where tariff_id = $1`,
      [id, createdBy, JSON.stringify(volumeSteps)],
    );
    await this.addRules(id, 1, rules);
  }

  /** Adds a version, in the place of one that was to start at the same time. Without a start it is in force at once. */
  async addVersion(
    id: string,
    { rules, volumeSteps }: TariffPrices,
    startsAt: Date | null,
    createdBy: string | null,
  ): Promise<number> {
    const [version] = await this.db.query<{ number: number }>(
      `with last as (select max(number) as number from tariff_versions where tariff_id = $1),
            replaced as (delete from tariff_versions where tariff_id = $1 and starts_at = $2 and starts_at > now())
       insert into tariff_versions (tariff_id, number, starts_at, created_by, volume_steps)
       select $1, last.number + 1, coalesce($2, now()), $3, $4 from last returning number`,
      [id, startsAt, createdBy, JSON.stringify(volumeSteps)],
    );
    await this.addRules(id, version!.number, rules);
    return version!.number;
  }

  /** False if there is no such version, or it has started. */
  async withdraw(id: string, number: number): Promise<boolean> {
    return (
      (await this.db.execute(
        `delete from tariff_versions where tariff_id = $1 and number = $2 and starts_at > now()`,
        [id, number],
      )) > 0
    );
  }

  async versions(
    id: string,
    { order, limit, offset }: VersionsQuery,
  ): Promise<{ data: TariffVersionRow[]; total: number }> {
    const data = await this.db.query<TariffVersionRow>(
      `select v.number, v.starts_at as "startsAt", v.created_at as "createdAt", v.number = ${IN_FORCE} as "isInForce",
              case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end as "Author",
              ${rulesOf('t.id', 'v.number')} as rules, v.volume_steps as "volumeSteps"
         from tariffs t join tariff_versions v on v.tariff_id = t.id left join users u on u.id = v.created_by
        where t.id = $1
        order by v.starts_at ${order[0]!.direction}, v.number ${order[0]!.direction} limit $2 offset $3`,
      [id, limit, offset],
    );
    const [count] = await this.db.query<{ total: number }>(
      `select count(*)::int as total from tariff_versions where tariff_id = $1`,
      [id],
    );
    return { data, total: count!.total };
  }

  /** By default the one in force; null if there is no such version. */
  async version(
    id: string,
    number?: number,
  ): Promise<Pick<TariffVersionRow, 'number' | 'rules'> | null> {
    const [row] = await this.db.query<Pick<TariffVersionRow, 'number' | 'rules'>>(
      `select v.number, ${rulesOf('t.id', 'v.number')} as rules
         from tariffs t join tariff_versions v on v.tariff_id = t.id
        where t.id = $1 and v.number = coalesce($2, ${IN_FORCE})`,
      [id, number ?? null],
    );
    return row ?? null;
  }

  /** Of accounts that have gone to another reseller it is taken away: they may return. */
  async remove(id: string): Promise<void> {
    await this.db.query(`update tariffs set removed_at = now() where id = $1`, [id]);
    await this.db.query(`delete from users_tariffs where tariff_id = $1`, [id]);
  }

  /** Of rules with the same priority, those that are made last go first: the order of the list is that of evaluation. */
  private async addRules(id: string, version: number, rules: TariffInput['rules']): Promise<void> {
    const rows = rules.map((rule) => ({ ...rule, price: [rule.price].flat() })).reverse();
    await this.db.query(
      `insert into tariff_rules (tariff_id, version, action, price, conditions, priority, by_length)
       select $1, $2, r.action, array(select jsonb_array_elements_text(r.price)::numeric), r.conditions, r.priority, r."byLength"
         from jsonb_to_recordset($3::jsonb) as r(action text, price jsonb, conditions jsonb, priority int, "byLength" jsonb)`,
      [id, version, JSON.stringify(rows)],
    );
  }

  /**
   * Replaces the tariffs of an account; of those of others, a reseller's call takes none away and gives none. Those that the account
   * cannot have are left out; returns how many were assigned. One that is just being removed is waited for.
   */
  async assign(
    setter: Setter,
    OwnerId: string,
    given: { id: string; priority: number }[],
  ): Promise<number> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
    await this.db.query(
      `delete from users_tariffs ut using tariffs t
        where ut.owner_id = $1 and t.id = ut.tariff_id and ($2::uuid is null or t.reseller_id = $2)`,
      [OwnerId, setter],
    );
    return this.db.execute(
      `insert into users_tariffs (owner_id, tariff_id, priority)
       select u.id, t.id, g.priority
         from unnest($2::uuid[], $3::int[]) g (id, priority)
         join users u on u.id = $1
         join tariffs t on t.id = g.id and t.removed_at is null and ($4::uuid is null or t.reseller_id = $4)
          and (t.reseller_id is null or t.reseller_id = u.reseller_id)
          for share of t`,
      [OwnerId, given.map(({ id }) => id), given.map(({ priority }) => priority), setter],
    );
  }

  private one(setter: Setter, id: string): SelectQueryBuilder<Tariff> {
    return this.rows(setter).andWhere('t.id = :id', { id });
  }

  private rows(setter: Setter): SelectQueryBuilder<Tariff> {
    const rows = this.db.manager
      .getRepository(Tariff)
      .createQueryBuilder('t')
      .where('t.removed_at is null');
    return setter ? rows.andWhere('t.reseller_id = :setter', { setter }) : rows;
  }
}

function found(row: Tariff | null): Tariff {
  if (!row) throw notFound();
  return row;
}
