import { Injectable } from '@nestjs/common';
import type { WapiState } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** What the workers need of an instance. */
export interface LeasedInstance {
  id: string;
  OwnerId: string;
  phone: string | null;
  state: WapiState;
  externalId: string | null;
  token: Buffer | null;
  isCreating: boolean;
  checkedAt: Date | null;
}

export interface SendingInstance extends Pick<
  LeasedInstance,
  'id' | 'OwnerId' | 'state' | 'externalId' | 'token'
> {
  reference: string;
}

const COLUMNS = `w.id, w.owner_id as "OwnerId", w.phone, w.state, w.external_id as "externalId", w.token, w.is_creating as "isCreating", w.checked_at as "checkedAt"`;

/** Work of the workers at the gateway, and the rate of instances. */
@Injectable()
export class WapiGatewayStore {
  constructor(private readonly db: Db) {}

  /** Paid instances whose events are received next, for this worker until `until`. */
  leasePolls(now: Date, until: Date, limit: number): Promise<LeasedInstance[]> {
    return this.lease(
      `w.state <> 'deleted' and w.external_id is not null and w.is_paid`,
      now,
      until,
      limit,
    );
  }

  /** Instances that are not at the gateway yet, or no longer belong there. */
  leaseUnprovisioned(now: Date, until: Date, limit: number): Promise<LeasedInstance[]> {
    return this.lease(
      `(w.external_id is null and w.state = 'undefined' or w.external_id is not null and w.state = 'deleted')`,
      now,
      until,
      limit,
    );
  }

  private lease(
    condition: string,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<LeasedInstance[]> {
    return this.db.query<LeasedInstance>(
      `update wapi_instances w set poll_at = $2 where w.id in (
         select w.id from wapi_instances w where ${condition} and w.poll_at <= $1 order by w.poll_at limit $3 for update skip locked)
       returning ${COLUMNS}`,
      [now, until, limit],
    );
  }

  async phoneOf(id: string): Promise<string | null> {
    const [row] = await this.db.query<{ phone: string | null }>(
      `select phone from wapi_instances where id = $1`,
      [id],
    );
    return row?.phone ?? null;
  }

  async polled(id: string, nextAt: Date, checkedAt: Date | null): Promise<void> {
    await this.db.query(
      `update wapi_instances set poll_at = $2, checked_at = coalesce($3, checked_at) where id = $1`,
      [id, nextAt, checkedAt],
    );
  }

  async startCreation(id: string): Promise<void> {
    await this.db.query(`update wapi_instances set is_creating = true where id = $1`, [id]);
  }

  async provisioned(id: string, externalId: string, token: Buffer, now: Date): Promise<void> {
    await this.db.query(
      `update wapi_instances set external_id = $2, token = $3, is_creating = false, poll_at = $4, updated_at = $4,
              state = case state when 'undefined' then 'notAuthorized' else state end
        where id = $1 and external_id is null`,
      [id, externalId, token, now],
    );
  }

  async unprovisioned(id: string): Promise<void> {
    await this.db.query(
      `update wapi_instances set external_id = null, token = null where id = $1 and state = 'deleted'`,
      [id],
    );
  }

  /** Instances whose QR code somebody has open. */
  watched(now: Date, limit: number): Promise<LeasedInstance[]> {
    return this.db.query<LeasedInstance>(
      `select ${COLUMNS} from wapi_instances w where w.watched_until > $1 and w.state = 'notAuthorized' and w.external_id is not null
        order by w.watched_until limit $2`,
      [now, limit],
    );
  }

  /** Drops the codes that nobody has open any more. */
  unwatch(now: Date): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `update wapi_instances set qr = null, watched_until = null where watched_until <= $1 returning id, owner_id as "OwnerId"`,
      [now],
    );
  }

  /** The instances that messages are sent from: those of their accounts with the phone of their sender. */
  senders(references: string[]): Promise<SendingInstance[]> {
    return this.db.query<SendingInstance>(
      `select s.id as reference, w.id, w.owner_id as "OwnerId", w.state, w.external_id as "externalId", w.token
         from sendings s
        cross join lateral (
          select * from wapi_instances w
           where w.owner_id = s.owner_id and w.phone = s.sender and w.is_paid and w.is_active and w.external_id is not null and w.state <> 'deleted'
           order by w.state = 'authorized' desc, w.id limit 1) w
        where s.id = any($1)`,
      [references],
    );
  }

  /**
   * Takes up to `wanted` messages of the rate of an instance: one in `seconds`, `burst` at once. Returns how many, and the seconds that
   * the rate is ahead.
   */
  async takeRate(
    id: string,
    wanted: number,
    { seconds, burst }: { seconds: number; burst: number },
    now: Date,
  ): Promise<{ taken: number; ahead: number }> {
    const [row] = await this.db.query<{ taken: number; ahead: number }>(
      `with w as (
         select id, greatest(coalesce(send_at, $2), $2) as at from wapi_instances where id = $1 for update),
       t as (
         select id, at, least($3::int, greatest(0, floor(($5::int * $4::float8 - extract(epoch from at - $2::timestamptz)) / $4::float8)))::int as taken from w)
       update wapi_instances i set send_at = t.at + t.taken * $4::float8 * interval '1 second' from t where i.id = t.id
       returning t.taken, extract(epoch from i.send_at - $2)::float8 as ahead`,
      [id, now, wanted, seconds, burst],
    );
    return row ?? { taken: 0, ahead: 0 };
  }

  async countByState(): Promise<{ state: WapiState; isPaid: boolean; count: number }[]> {
    return this.db.query(
      `select state, is_paid as "isPaid", count(*)::float8 as count from wapi_instances group by 1, 2`,
    );
  }
}
