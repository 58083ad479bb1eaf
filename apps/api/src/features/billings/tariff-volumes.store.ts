import { Injectable } from '@nestjs/common';
import { documentMonth } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { uuidTime } from '../../core/uuid.ts';

/** What an account was billed for by a tariff in a month. */
export interface TariffVolume {
  OwnerId: string;
  TariffId: string;
  /** Its first day. */
  month: string;
  units: number;
}

/** The units of a charge, whose id has its time. */
export interface UnitsOfTariff {
  id: string;
  TariffId: string;
  units: number;
}

const VOLUME = `v.owner_id as "OwnerId", v.tariff_id as "TariffId", to_char(v.month, 'YYYY-MM-DD') as month, v.units::float8 as units`;
const VALUES = `unnest($1::uuid[], $2::uuid[], $3::date[], $4::bigint[]) d (owner_id, tariff_id, month, units)`;

/** The volumes of accounts, by which tariffs with steps price. They change under the lock of the balance. */
@Injectable()
export class TariffVolumesStore {
  constructor(private readonly db: Db) {}

  /** In the months of some times. Where an account has none, nothing was billed. */
  at(owners: string[], times: Date[]): Promise<TariffVolume[]> {
    return this.db.query(
      `select ${VOLUME} from tariff_volumes v where v.owner_id = any($1) and v.month = any($2::date[])`,
      [owners, [...new Set(times.map((time) => documentMonth(time).day))]],
    );
  }

  /** Each volume once. Returns what they are afterwards. */
  async add(added: TariffVolume[]): Promise<TariffVolume[]> {
    const rows = await this.db.query<TariffVolume & { isNew: boolean }>(
      `insert into tariff_volumes as v (owner_id, tariff_id, month, units) select * from ${VALUES}
       on conflict (owner_id, tariff_id, month) do update set units = v.units + excluded.units
       returning ${VOLUME}, (xmax = 0) as "isNew"`,
      columnsOf(added),
    );
    const fresh = rows.filter(({ isNew }) => isNew).map(({ OwnerId }) => OwnerId);
    if (fresh.length)
      await this.db.query(`update balances set has_volumes = true where owner_id = any($1)`, [
        fresh,
      ]);
    return rows;
  }

  /** Takes refunded charges of an account from the months in which they were made. */
  async giveBack(OwnerId: string, charges: UnitsOfTariff[]): Promise<void> {
    const volumes = volumesOf(
      charges.map(({ id, ...of }) => ({ ...of, OwnerId, month: documentMonth(uuidTime(id)).day })),
    );
    await this.db.query(
      `update tariff_volumes v set units = v.units - d.units from ${VALUES}
        where v.owner_id = d.owner_id and v.tariff_id = d.tariff_id and v.month = d.month`,
      columnsOf(volumes),
    );
  }
}

export const volumeKey = ({ OwnerId, TariffId, month }: Omit<TariffVolume, 'units'>): string =>
  `${OwnerId} ${TariffId} ${month}`;

/** One for each account, tariff and month. */
export function volumesOf(uses: readonly TariffVolume[]): TariffVolume[] {
  const sums = new Map<string, TariffVolume>();
  for (const { OwnerId, TariffId, month, units } of uses) {
    const key = volumeKey({ OwnerId, TariffId, month });
    const sum = sums.get(key) ?? { OwnerId, TariffId, month, units: 0 };
    sums.set(key, { ...sum, units: sum.units + units });
  }
  return [...sums.values()];
}

const columnsOf = (volumes: readonly TariffVolume[]) => [
  volumes.map(({ OwnerId }) => OwnerId),
  volumes.map(({ TariffId }) => TariffId),
  volumes.map(({ month }) => month),
  volumes.map(({ units }) => units),
];
