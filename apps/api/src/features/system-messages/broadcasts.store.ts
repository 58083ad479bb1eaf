import { Injectable } from '@nestjs/common';
import type { NotificationType } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** Which accounts are notified; a null is no condition. */
export interface BroadcastAudience {
  /** Accounts of this manager, and its own. */
  managerId?: string | null;
  level?: string | null;
  accounts?: string[] | null;
  tariffId?: string | null;
}

export interface Broadcast {
  id: string;
  type: NotificationType;
  data: Record<string, unknown>;
}

interface OpenBroadcast extends Broadcast, BroadcastAudience {
  cursor: string | null;
}

@Injectable()
export class BroadcastsStore {
  constructor(private readonly db: Db) {}

  async add({ id, type, data }: Broadcast, audience: BroadcastAudience): Promise<void> {
    await this.db.query(
      `insert into notification_broadcasts (id, type, data, manager_id, level, accounts, tariff_id) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        id,
        type,
        data,
        audience.managerId ?? null,
        audience.level ?? null,
        audience.accounts ?? null,
        audience.tariffId ?? null,
      ],
    );
  }

  /** The broadcast that was advanced least, locked until the transaction ends. */
  async lockNext(): Promise<OpenBroadcast | null> {
    const [row] = await this.db.query<OpenBroadcast>(
      `select id, type, data, manager_id as "managerId", level, accounts, tariff_id as "tariffId", cursor
         from notification_broadcasts where finished_at is null order by id limit 1 for update skip locked`,
    );
    return row ?? null;
  }

  /** The next accounts, in the order of their ids. */
  async accountsAfter(broadcast: OpenBroadcast, limit: number): Promise<string[]> {
    const { cursor, managerId, level, accounts, tariffId } = broadcast;
    const rows = await this.db.query<{ id: string }>(
      `select u.id from users u
        where u.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and u.owner_id = u.id and u.is_active
          and ($2::uuid is null or u.manager_id = $2 or u.id = $2)
          and ($3::text is null or u.level = $3)
          and ($4::uuid[] is null or u.id = any($4))
          and ($5::uuid is null or exists (select 1 from users_tariffs t where t.owner_id = u.id and t.tariff_id = $5))
        order by u.id limit $6`,
      [cursor, managerId, level, accounts, tariffId, limit],
    );
    return rows.map(({ id }) => id);
  }

  async advance(id: string, cursor: string | null, notified: number, finishedAt: Date | null) {
    await this.db.query(
      `update notification_broadcasts set cursor = coalesce($2, cursor), notified = notified + $3, finished_at = $4 where id = $1`,
      [id, cursor, notified, finishedAt],
    );
  }

  /** Broadcasts of changed tariffs have no message that shows them. */
  async deleteFinished(before: Date): Promise<void> {
    await this.db.query(
      `delete from notification_broadcasts b where b.finished_at < $1 and not exists (select 1 from system_messages m where m.id = b.id)`,
      [before],
    );
  }
}
