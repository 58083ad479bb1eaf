import { Injectable } from '@nestjs/common';
import type { BillingOrigin } from '@heliograph/contract';
import { formatMoney, type Money } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import type { UnitsOfPackage } from './package-units.store.ts';
import type { UnitsOfTariff } from './tariff-volumes.store.ts';
import { BILLING_STATUS_CODES, MANUAL_SOURCES, ORIGIN_CODES } from './billing.codes.ts';

export interface Refunded {
  OwnerId: string;
  /** Positive; the text of a numeric. */
  amount: string;
  /** The ids of the refunded entries. */
  entries: string[];
  /** What of them is given back to packages. */
  units: UnitsOfPackage[];
  /** What of them counted for volumes of tariffs. */
  volumes: UnitsOfTariff[];
}

export interface EntryOfOrigin {
  id: string;
  OwnerId: string;
  /** Positive adds, negative takes. */
  amount: Money;
  origin: BillingOrigin;
  comment?: string | null;
  createdBy?: string;
}

/** The writes of the ledger's entries. Those of charges are `chargesSql`. */
@Injectable()
export class EntriesStore {
  constructor(private readonly db: Db) {}

  /** Writes an entry of an origin, once; false when there is one. Another transaction that writes it is waited for. */
  async enter(entry: EntryOfOrigin): Promise<boolean> {
    return (await this.enterAll([entry])).length > 0;
  }

  /** Returns the ids of the written entries. In the order of ids, so that two transactions with the same origins do not deadlock. */
  async enterAll(entries: EntryOfOrigin[]): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `insert into billings (id, owner_id, source, amount, origin, origin_id, comment, created_by)
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::numeric[], $5::smallint[], $6::uuid[], $7::text[], $8::uuid[])
       on conflict (origin, origin_id) where origin is not null do nothing returning id`,
      [
        entries.map((e) => e.id),
        entries.map((e) => e.OwnerId),
        entries.map((e) => MANUAL_SOURCES[e.amount > 0n ? 'accrual' : 'subtract']),
        entries.map((e) => formatMoney(e.amount)),
        entries.map((e) => ORIGIN_CODES[e.origin.type]),
        entries.map((e) => e.origin.id),
        entries.map((e) => e.comment ?? null),
        entries.map((e) => e.createdBy ?? null),
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** Turns a complete subtraction into an invalid one. Undefined when there is none. */
  async invalidate({
    type,
    id,
  }: BillingOrigin): Promise<{ id: string; OwnerId: string; amount: string } | undefined> {
    const [row] = await this.db.query<{ id: string; OwnerId: string; amount: string }>(
      `update billings set status = ${BILLING_STATUS_CODES.invalid}
        where origin = $1 and origin_id = $2 and amount <= 0 and status = ${BILLING_STATUS_CODES.complete}
        returning id, owner_id as "OwnerId", (-amount)::text as amount`,
      [ORIGIN_CODES[type], id],
    );
    return row;
  }

  /** Marks complete charges as refunded and returns the amount by owner. Rows are locked in the order of ids, so that two refunds do not deadlock. */
  async refund(ids: string[], at: Date): Promise<Refunded[]> {
    return this.db.query<Refunded>(
      `with complete as (
         select id from billings where id = any($1) and status = ${BILLING_STATUS_CODES.complete} and source > 0 order by id for update
       ), refunded as (
         update billings b set status = ${BILLING_STATUS_CODES.refunded}, refunded_at = $2
           from complete c where b.id = c.id returning b.id, b.owner_id, b.amount, b.package_id, b.multiplier, b.tariff_id, b.volume_step
       )
       select owner_id as "OwnerId", (-sum(amount))::text as amount, array_agg(id) as entries,
              coalesce(jsonb_agg(jsonb_build_object('id', package_id, 'units', multiplier)) filter (where package_id is not null), '[]') as units,
              coalesce(jsonb_agg(jsonb_build_object('id', id, 'TariffId', tariff_id, 'units', multiplier)) filter (where volume_step is not null), '[]') as volumes
         from refunded group by owner_id order by owner_id`,
      [ids, at],
    );
  }
}
