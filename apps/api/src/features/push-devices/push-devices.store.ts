import { Injectable } from '@nestjs/common';
import { MAX_PUSH_DEVICES, type pushDevices, type PushKind } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import type { PushDevice as Addressed } from '../../channels/channel.ts';
import { inDefaultCollation } from '../../core/db/collation.ts';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { trunkStart } from '../../core/db/search.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { PushDevice } from './push-device.entity.ts';

type Query = In<typeof pushDevices.find>['query'];

export const PUSH_DEVICES_QUOTA: Quota = {
  name: 'pushDevices',
  limit: (config) => config.QUOTA_PUSH_DEVICES,
  used: countOf('push_devices'),
};

@Injectable()
export class PushDevicesStore extends Store<PushDevice, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'd.id' },
    cursor: 'd.id',
    filter: { OwnerId: equals('d.owner_id'), kind: equals('d.kind') },
    range: { createdAt: idTime('d.id') },
    search: (text, bind, country) => {
      const beginning = text.replace(/[\\%_]/g, '\\$&');
      const starts = [beginning, trunkStart(text) ?? []].flat();
      const found = `(${starts.map((s) => `d.phone like ${bind(`${s}%`)}`).join(' or ')})`;
      const phone = normalizePhone(text, country);
      return phone ? `(${found} or d.phone = ${bind(phone)})` : found;
    },
  };

  constructor(db: Db) {
    super(db, PushDevice, 'd');
  }

  /** A device that is known is moved to the phone number; of this only the devices that registered last are kept. */
  async register(row: PushDevice): Promise<{ device: PushDevice; isNew: boolean }> {
    const [written] = await this.db.query<{ id: string; isNew: boolean }>(
      `insert into push_devices as d (id, owner_id, phone, kind, address, address_hash, keys, title, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (owner_id, address_hash) do update
         set phone = excluded.phone, kind = excluded.kind, keys = excluded.keys, title = excluded.title, updated_at = excluded.updated_at
       returning d.id, d.id = $1 as "isNew"`,
      [
        row.id,
        row.OwnerId,
        row.phone,
        row.kind,
        row.address,
        row.addressHash,
        row.keys,
        row.title,
        row.updatedAt,
      ],
    );
    const { id, isNew } = written!;
    await this.db.query(
      `delete from push_devices where id in (
         select id from push_devices where owner_id = $1 and phone = $2 and id <> $3
          order by updated_at desc, id desc offset ${MAX_PUSH_DEVICES - 1})`,
      [row.OwnerId, row.phone, id],
    );
    return { device: { ...row, id }, isNew };
  }

  /** The devices of a kind to which messages go: those of the recipient, registered by the account that sends. */
  async ofMessages(
    references: readonly string[],
    kind: PushKind,
  ): Promise<(Addressed & { reference: string })[]> {
    const rows = await this.db.query<
      Omit<Addressed, 'keys'> & { reference: string; keys: Addressed['keys'] | null }
    >(
      `select s.id as reference, d.id, d.address, d.keys
         from sendings s join push_devices d on d.owner_id = s.owner_id and d.phone = ${inDefaultCollation('s.phone')} and d.kind = $2
        where s.id = any($1) order by d.updated_at desc, d.id desc`,
      [references, kind],
    );
    return rows.map(({ keys, ...row }) => ({ ...row, ...(keys && { keys }) }));
  }

  async removeAll(ids: readonly string[]): Promise<void> {
    await this.db.query(`delete from push_devices where id = any($1)`, [ids]);
  }
}
