import { Injectable } from '@nestjs/common';
import type { packageOffers, Page } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, findPage, type ListSql } from '../../core/db/find-page.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { PackageOffer, type Sales } from './package-offer.entity.ts';

type Query = In<typeof packageOffers.find>['query'];

const LIST: ListSql<Query> = {
  order: { createdAt: 'o.id', title: 'o.title', price: 'o.price' },
  filter: { isActive: equals('o.is_active') },
  search: contains('o.title'),
  range: {},
};

/** Offers of the installation, which belong to no account. */
@Injectable()
export class PackageOffersStore {
  constructor(private readonly db: Db) {}

  /** Those that an account with the currency can buy; without one, all. */
  find(query: Query, currency?: string): Promise<Page<PackageOffer>> {
    const rows = this.repository().createQueryBuilder('o').where('true');
    if (currency) rows.andWhere('o.is_active and o.currency = :currency', { currency });
    return findPage(this.db, rows, LIST, query);
  }

  async get(id: string): Promise<PackageOffer> {
    const row = await this.repository().findOneBy({ id });
    if (!row) throw notFound();
    return row;
  }

  /** By offer; units of packages that have ended are not left. Offers without packages are not in it. */
  async sales(offers: string[], at: Date): Promise<Map<string, Sales>> {
    const rows = await this.db.query<Sales & { id: string }>(
      `select offer_id as id, count(*)::int as packages, coalesce(sum(units_left) filter (where ends_at > $2), 0)::float8 as "unitsLeft"
         from message_packages where offer_id = any($1) group by offer_id`,
      [offers, at],
    );
    return new Map(rows.map(({ id, ...sales }) => [id, sales]));
  }

  async lock(id: string): Promise<PackageOffer> {
    const row = await this.repository().findOne({
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) throw notFound();
    return row;
  }

  save(values: Partial<PackageOffer>): Promise<PackageOffer> {
    return this.repository().save(this.repository().create(values));
  }

  private repository() {
    return this.db.manager.getRepository(PackageOffer);
  }
}
