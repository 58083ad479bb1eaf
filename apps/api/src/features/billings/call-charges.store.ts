import { Injectable } from '@nestjs/common';
import type { CallIntervals } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { BILLING_STATUS_CODES } from './billing.codes.ts';

/** A charge by the length of a call, whose length is not known yet. */
export interface OpenCall extends CallIntervals {
  id: string;
  OwnerId: string;
  /** `[per call, per second]`. */
  price: string[];
  /** Seconds that the reserve is for. */
  reserved: number;
  /** The reserve: negative. */
  amount: string;
}

/** How a call is charged by its length, and the seconds of its text or recording, which the reserve rounds up. */
export interface NewCall extends CallIntervals {
  estimated: number;
}

/** For how long a call was answered, and the seconds that it is charged for. */
export interface CallLength {
  id: string;
  seconds: number;
  units: number;
}

/** How calls are charged by their length. */
@Injectable()
export class CallChargesStore {
  constructor(private readonly db: Db) {}

  async add(calls: ({ id: string } & NewCall)[]): Promise<void> {
    await this.db.query(
      `insert into call_charges (sending_id, first, interval, estimated) select * from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::integer[])`,
      [
        calls.map(({ id }) => id),
        calls.map(({ first }) => first),
        calls.map(({ interval }) => interval),
        calls.map(({ estimated }) => estimated),
      ],
    );
  }

  /** Seconds of the texts or recordings of calls, also of those that are not charged by their length. None of calls that are not charged. */
  async estimatedSeconds(ids: string[]): Promise<Map<string, number>> {
    const rows = await this.db.query<{ id: string; seconds: number }>(
      `select b.id, coalesce(c.estimated, b.multiplier) as seconds
         from billings b left join call_charges c on c.sending_id = b.id where b.id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, seconds }) => [id, seconds]));
  }

  /** Those whose length is not known and whose charge was not given back; locked in the order of ids, so that one length counts. */
  lockOpen(ids: string[]): Promise<OpenCall[]> {
    return this.db.query(
      `select c.sending_id as id, b.owner_id as "OwnerId", b.price::text[] as price, b.multiplier as reserved, b.amount::text as amount, c.first, c.interval
         from call_charges c join billings b on b.id = c.sending_id and b.status = ${BILLING_STATUS_CODES.complete}
        where c.sending_id = any($1) and c.settled_at is null order by c.sending_id for update of c`,
      [ids],
    );
  }

  async settle(calls: CallLength[], at: Date): Promise<void> {
    await this.db.query(
      `update call_charges c set seconds = d.seconds, units = d.units, settled_at = $4
         from unnest($1::uuid[], $2::integer[], $3::integer[]) d (id, seconds, units) where c.sending_id = d.id`,
      [
        calls.map(({ id }) => id),
        calls.map(({ seconds }) => seconds),
        calls.map(({ units }) => units),
        at,
      ],
    );
  }
}
