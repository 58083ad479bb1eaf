import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, SECONDS_OF_PRICE, type CallIntervals } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

const { submitting, unknown } = BATCH_STAGES;

/** A call that a carrier has accepted and bills by its length. */
export interface BilledCall extends CallIntervals {
  id: string;
  mccmnc: string | null;
  /** Of a minute. */
  price: string;
  currency: string;
}

/** A call with the seconds that are noted, and those of its report, if one has told them. */
export interface NotedCall {
  id: string;
  units: number;
  seconds: number | null;
}

/** A call whose length is not known. The intervals are null while its submit is not recorded. */
export interface OpenCost {
  id: string;
  units: number;
  first: number | null;
  interval: number | null;
}

/** What calls cost by their length. */
@Injectable()
export class CallCostsStore {
  constructor(private readonly db: Db) {}

  /** Locked as reports lock them, so that none comes between. Returns the lengths of those that were reported before their submit was recorded. */
  async lockReported(ids: string[]): Promise<Map<string, number | null>> {
    await this.db.query(`select 1 from sendings where id = any($1) order by id for no key update`, [
      ids,
    ]);
    const rows = await this.db.query<Pick<NotedCall, 'id' | 'seconds'>>(
      `select sending_id as id, seconds from call_costs where sending_id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, seconds }) => [id, seconds]));
  }

  async add(calls: (BilledCall & { units: number })[]): Promise<void> {
    await this.db.query(
      `insert into call_costs (sending_id, first, interval, mccmnc, price, currency, units)
       select * from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::text[], $5::numeric[], $6::text[], $7::integer[])
       on conflict (sending_id) do update set first = excluded.first, interval = excluded.interval, mccmnc = excluded.mccmnc,
         price = excluded.price, currency = excluded.currency, units = excluded.units`,
      [
        calls.map(({ id }) => id),
        calls.map(({ first }) => first),
        calls.map(({ interval }) => interval),
        calls.map(({ mccmnc }) => mccmnc),
        calls.map(({ price }) => price),
        calls.map(({ currency }) => currency),
        calls.map(({ units }) => units),
      ],
    );
  }

  /** Those whose submit is not recorded yet are added: only then is it known what they cost. */
  async addReported(ids: string[]): Promise<void> {
    await this.db.query(
      `insert into call_costs (sending_id, units)
       select s.id, 0 from sendings s join batches b on b.id = s.batch_id
        where s.id = any($1) and b.stage in (${submitting}, ${unknown})
       on conflict (sending_id) do nothing`,
      [ids],
    );
  }

  /** Behind the locks of their messages, so that one length counts. */
  open(ids: string[]): Promise<OpenCost[]> {
    return this.db.query(
      `select sending_id as id, units, first, interval from call_costs where sending_id = any($1) and seconds is null`,
      [ids],
    );
  }

  /** Of calls whose submit is not recorded: it is noted as if nothing had been reported. */
  async forget(ids: string[]): Promise<void> {
    await this.db.query(`delete from call_costs where sending_id = any($1)`, [ids]);
  }

  async set(calls: NotedCall[]): Promise<void> {
    await this.db.query(
      `update call_costs c set units = d.units, seconds = d.seconds
         from unnest($1::uuid[], $2::integer[], $3::integer[]) d (id, units, seconds) where c.sending_id = d.id`,
      [
        calls.map(({ id }) => id),
        calls.map(({ units }) => units),
        calls.map(({ seconds }) => seconds),
      ],
    );
  }

  /** Seconds that calls cost more, or less, than what was noted before. */
  async note(changes: { id: string; units: number }[], at: Date): Promise<void> {
    await this.db.query(
      `insert into message_costs (batch_id, owner_id, channel, type, mccmnc, submitted_at, messages, amount, units, price, price_units, currency)
       select s.batch_id, s.owner_id, b.channel, s.type, c.mccmnc, $3, 0, 0, sum(d.units), c.price, ${SECONDS_OF_PRICE}, c.currency
         from unnest($1::uuid[], $2::integer[]) d (id, units)
         join call_costs c on c.sending_id = d.id and c.price is not null
         join sendings s on s.id = d.id join batches b on b.id = s.batch_id
        group by s.batch_id, s.owner_id, b.channel, s.type, c.mccmnc, c.price, c.currency`,
      [changes.map(({ id }) => id), changes.map(({ units }) => units), at],
    );
  }
}
