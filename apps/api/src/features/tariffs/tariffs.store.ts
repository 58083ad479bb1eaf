import { Injectable } from '@nestjs/common';
import type { Page, TariffInput, tariffs } from '@heliograph/contract';
import type { SelectQueryBuilder } from 'typeorm';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { binder, contains, equals, findPage, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Tariff, type AccountTariff, type TariffDetails } from './tariff.entity.ts';

type Query = In<typeof tariffs.find>['query'];
type CatalogueQuery = In<typeof tariffs.catalogue>['query'];

const CATALOGUE: ListSql<CatalogueQuery> = {
  order: { createdAt: 't.createdAt', title: 't.title' },
  filter: {},
  range: {},
  search: contains('t.title'),
};

@Injectable()
export class TariffsStore extends Store<Tariff, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 't.createdAt', title: 't.title' },
    filter: {
      id: equals('t.id'),
      source: equals('t.source'),
      // The access scope already selects the owner.
      OwnerId: () => 'true',
    },
    range: { createdAt: 't.created_at' },
    search: contains('t.title'),
  };

  constructor(db: Db) {
    super(db, Tariff, 't');
  }

  /** The tariffs of an account in order of precedence. */
  held(OwnerId: string): Promise<AccountTariff[]> {
    return this.db.query<AccountTariff>(
      `select t.id, t.title, t.source, ut.priority,
              coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'action', r.action, 'price', r.price,
                                                            'conditions', r.conditions, 'priority', r.priority)
                                         order by r.priority desc, r.id desc)
                          from tariff_rules r where r.tariff_id = t.id), '[]') as rules
         from users_tariffs ut join tariffs t on t.id = ut.tariff_id
        where ut.owner_id = $1
        order by ut.priority desc, t.id desc`,
      [OwnerId],
    );
  }

  /** Returns the number of assigned tariffs. */
  giveDefaults(OwnerId: string): Promise<number> {
    return this.db.execute(
      `insert into users_tariffs (owner_id, tariff_id) select $1, id from tariffs where is_default`,
      [OwnerId],
    );
  }

  /** All tariffs, for those who set prices. */
  findAll(query: CatalogueQuery): Promise<Page<Tariff>> {
    const rows = this.db.manager.getRepository(Tariff).createQueryBuilder('t');
    return findPage(this.db, rows.where('true'), CATALOGUE, query);
  }

  /** The rules and the number of accounts of tariffs. */
  async details(ids: string[]): Promise<Map<string, TariffDetails>> {
    const rows = await this.db.query<TariffDetails & { id: string }>(
      `select t.id, (select count(*)::int from users_tariffs ut where ut.tariff_id = t.id) as accounts,
              coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'action', r.action, 'price', r.price,
                                                            'conditions', r.conditions, 'priority', r.priority)
                                         order by r.priority desc, r.id desc)
                          from tariff_rules r where r.tariff_id = t.id), '[]') as rules
         from tariffs t where t.id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ...details }) => [id, details]));
  }

  /** Any tariff, locked until the transaction ends. */
  async lockAny(id: string): Promise<Tariff> {
    const row = await this.db.manager
      .getRepository(Tariff)
      .createQueryBuilder('t')
      .where('t.id = :id', { id })
      .setLock('pessimistic_write')
      .getOne();
    if (!row) throw notFound();
    return row;
  }

  async write(id: string | null, { rules, ...values }: TariffInput): Promise<string> {
    const { title, source, isDefault } = values;
    const [row] = await this.db.query<{ id: string }>(
      `insert into tariffs (id, title, source, is_default) values (coalesce($1, uuidv7()), $2, $3, $4)
       on conflict (id) do update set title = $2, source = $3, is_default = $4, updated_at = now() returning id`,
      [id, title, source, isDefault],
    );
    await this.db.query(`delete from tariff_rules where tariff_id = $1`, [row!.id]);
    await this.db.query(
      `insert into tariff_rules (tariff_id, action, price, conditions, priority)
       select $1, r.action, array(select jsonb_array_elements_text(r.price)::numeric), r.conditions, r.priority
         from jsonb_to_recordset($2::jsonb) as r(action text, price jsonb, conditions jsonb, priority int)`,
      [row!.id, JSON.stringify(rules.map((rule) => ({ ...rule, price: [rule.price].flat() })))],
    );
    return row!.id;
  }

  async removeAny(id: string): Promise<void> {
    await this.db.query(`delete from tariffs where id = $1`, [id]);
  }

  /** Replaces the tariffs of an account. Those that do not exist are left out; returns how many were assigned. */
  async assign(OwnerId: string, given: { id: string; priority: number }[]): Promise<number> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
    await this.db.query(`delete from users_tariffs where owner_id = $1`, [OwnerId]);
    return this.db.execute(
      `insert into users_tariffs (owner_id, tariff_id, priority)
       select $1, t.id, g.priority from unnest($2::uuid[], $3::int[]) g (id, priority) join tariffs t on t.id = g.id`,
      [OwnerId, given.map(({ id }) => id), given.map(({ priority }) => priority)],
    );
  }

  /** Tariffs have no owner. They are visible if an account within the scope has them. */
  protected override rows(scope: AccessScope): SelectQueryBuilder<Tariff> {
    const rows = this.db.manager.getRepository(Tariff).createQueryBuilder('t');
    const seen = scopeSql(scope, 'ut.owner_id', binder(rows as never));
    return rows.where(
      `exists (select 1 from users_tariffs ut where ut.tariff_id = t.id and ${seen})`,
    );
  }
}
