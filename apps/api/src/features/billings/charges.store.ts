import { SYSTEM_OWNER } from '../../core/auth/actor.ts';

/** Where a charge's columns come from: SQL expressions over the created sendings `s` and the joined rows. */
export interface ChargeSource {
  /** Name of the CTE that inserted the sendings; returns `id, owner_id, type, amount`. */
  created: string;
  /** Joins the rows that hold price, multiplier or tariff where these differ by sending; else empty. */
  join: string;
  price: string;
  multiplier: string;
  tariffId: string;
  tariffVersion: string;
  tokenId: string;
  /** Of a message that a tariff with volume steps prices: the number of its step. */
  volumeStep: string;
  /** Of a message that a package covers, whose amount is zero. */
  packageId: string;
}

/**
 * Writes the ledger entries of new sendings. To be used as a CTE of the statement that inserts them, so that a batch and its charges
 * are one round trip. A free sending has an entry of zero where its tariff has a price for it.
 */
export function chargesSql({
  created,
  join,
  price,
  multiplier,
  tariffId,
  tariffVersion,
  volumeStep,
  tokenId,
  packageId,
}: ChargeSource): string {
  return `insert into billings (id, owner_id, source, amount, price, multiplier, tariff_id, tariff_version, volume_step, token_id, package_id)
          select s.id, s.owner_id, s.type, -s.amount, ${price}::numeric[], ${multiplier}, ${tariffId}, ${tariffVersion}, ${volumeStep}, ${tokenId}, ${packageId}
            from ${created} s ${join}
           where s.amount > 0 or (cardinality(${price}::numeric[]) > 0 and s.owner_id <> '${SYSTEM_OWNER}')`;
}
