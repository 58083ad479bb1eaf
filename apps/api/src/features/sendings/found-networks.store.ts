import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** The network of a number, as a look-up has found it. */
export interface FoundNetwork {
  phone: string;
  /** MCC and MNC: `25001`; null if the last look-up did not say it. */
  network: string | null;
  at: Date;
}

@Injectable()
export class FoundNetworksStore {
  constructor(private readonly db: Db) {}

  /** Of what the account has looked up since then. */
  of(OwnerId: string, phones: string[], since: Date): Promise<FoundNetwork[]> {
    return this.db.query(
      `select phone, network, found_at as at from found_networks
        where owner_id = $1 and phone = any($2) and found_at > $3`,
      [OwnerId, phones, since],
    );
  }

  /** Replaces what was found before, in an order that is the same for all. */
  async keep(
    found: { OwnerId: string; phone: string; network: string }[],
    at: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into found_networks (owner_id, phone, network, found_at)
       select distinct on (g.owner_id, g.phone) g.*, $4::timestamptz
         from unnest($1::uuid[], $2::text[], $3::text[]) g (owner_id, phone, network) order by g.owner_id, g.phone
       on conflict (owner_id, phone) do update set network = excluded.network, found_at = excluded.found_at`,
      [
        found.map(({ OwnerId }) => OwnerId),
        found.map(({ phone }) => phone),
        found.map(({ network }) => network),
        at,
      ],
    );
  }

  /** That look-ups have not said the network. What they have said since then stays. */
  async keepUnsaid(OwnerId: string, phones: string[], since: Date, at: Date): Promise<void> {
    await this.db.query(
      `insert into found_networks (owner_id, phone, found_at)
       select distinct $1::uuid, phone, $4::timestamptz from unnest($2::text[]) g (phone) order by phone
       on conflict (owner_id, phone) do update set network = null, found_at = excluded.found_at
         where found_networks.network is null or found_networks.found_at <= $3`,
      [OwnerId, phones, since, at],
    );
  }

  /** The oldest that were found before. Returns how many. */
  deleteBefore(before: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from found_networks where (owner_id, phone) in (
         select owner_id, phone from found_networks where found_at < $1 order by found_at limit ${limit} for update skip locked)`,
      [before],
    );
  }

  /** Of each account those that it has beyond `max`, the oldest. Returns how many. */
  deleteBeyond(max: number, limit: number): Promise<number> {
    return this.db.execute(
      `delete from found_networks where (owner_id, phone) in (
         select n.owner_id, n.phone
           from (select owner_id, count(*) - $1 as excess from found_networks group by owner_id having count(*) > $1) o
                cross join lateral (
                  select owner_id, phone from found_networks f where f.owner_id = o.owner_id
                   order by found_at, phone limit least(o.excess, ${limit})) n
          limit ${limit})`,
      [max],
    );
  }
}
