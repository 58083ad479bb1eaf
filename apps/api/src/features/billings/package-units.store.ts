import { Injectable } from '@nestjs/common';
import { typeOf, type OpenPackage } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** A package with units that were taken from it or are given back. */
export interface UnitsOfPackage {
  id: string;
  units: number;
}

/** What a package has left. */
export interface LeftOfPackage {
  id: string;
  OwnerId: string;
  title: string;
  units: number;
  left: number;
  endsAt: Date;
  /** The used share in percent that the owner was notified of. */
  notified: number;
}

const LEFT = `p.id, p.owner_id as "OwnerId", p.title, p.units, p.units_left as left, p.ends_at as "endsAt", p.used_notified as notified`;

/** The units of prepaid packages. They change under the lock of their owner's balance. */
@Injectable()
export class PackageUnitsStore {
  constructor(private readonly db: Db) {}

  /** The packages that have not ended, by owner and in the order of their ends. */
  async open(owners: string[], at: Date): Promise<Map<string, OpenPackage[]>> {
    const rows = await this.db.query<
      Omit<OpenPackage, 'types'> & { OwnerId: string; types: number[] }
    >(
      `select id, owner_id as "OwnerId", types, mccmnc, units_left as "left" from message_packages
        where owner_id = any($1) and ends_at > $2 and units_left > 0 order by ends_at, id`,
      [owners, at],
    );
    const packages = rows.map(({ types, ...row }) => ({ ...row, types: types.map(typeOf) }));
    return Map.groupBy(packages, ({ OwnerId }) => OwnerId);
  }

  /** Refused by the constraint `package_covers` when a package has fewer units. Returns what is left of each. */
  async take(taken: UnitsOfPackage[]): Promise<LeftOfPackage[]> {
    const changed = await this.change(taken, -1);
    if (changed.length < taken.length) throw new Error('A package of messages does not exist');
    return changed;
  }

  async setNotified(id: string, percent: number): Promise<void> {
    await this.db.query(`update message_packages set used_notified = $2 where id = $1`, [
      id,
      percent,
    ]);
  }

  /** Packages with units that end by then, each once. */
  markEnding(now: Date, until: Date, limit: number): Promise<LeftOfPackage[]> {
    return this.db.query(
      `update message_packages p set ending_notified = true
         from (select id from message_packages
                where not ending_notified and ends_at > $1 and ends_at <= $2 and units_left > 0 order by ends_at limit $3 for update skip locked) d
        where p.id = d.id
        returning ${LEFT}`,
      [now, until, limit],
    );
  }

  /** Ends what an account has left. Behind the lock of its balance. Returns the number of packages and of units. */
  async end(OwnerId: string, at: Date): Promise<{ packages: number; units: number }> {
    const [row] = await this.db.query<{ packages: number; units: number }>(
      `with ended as (update message_packages set ends_at = $2, ending_notified = true where owner_id = $1 and ends_at > $2 returning units_left)
       select count(*)::int as packages, coalesce(sum(units_left), 0)::float8 as units from ended`,
      [OwnerId, at],
    );
    return row!;
  }

  /** Also to packages that have ended. */
  async giveBack(returned: UnitsOfPackage[]): Promise<void> {
    await this.change(returned, 1);
  }

  /** Of each package once. */
  private change(changes: UnitsOfPackage[], sign: 1 | -1): Promise<LeftOfPackage[]> {
    return this.db.query(
      `update message_packages p set units_left = p.units_left + d.units
         from unnest($1::uuid[], $2::integer[]) d (id, units) where p.id = d.id
       returning ${LEFT}`,
      [changes.map(({ id }) => id), changes.map(({ units }) => sign * units)],
    );
  }
}

/** One for each package. */
export function unitsByPackage(uses: readonly UnitsOfPackage[]): UnitsOfPackage[] {
  const sums = new Map<string, number>();
  for (const { id, units } of uses) sums.set(id, (sums.get(id) ?? 0) + units);
  return [...sums].map(([id, units]) => ({ id, units }));
}
