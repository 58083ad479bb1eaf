import { Injectable } from '@nestjs/common';
import type { WebhookEvent, WebhookStatus } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** The queues of accounts for receivers over SMPP: rows of `webhooks` that are no webhooks. */
@Injectable()
export class ReceiverQueuesStore {
  constructor(private readonly db: Db) {}

  async ensure(
    OwnerId: string,
    event: WebhookEvent,
    statuses: readonly WebhookStatus[] | null,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into webhooks (owner_id, is_smpp, title, event, url, method, statuses, secret, served_at)
       values ($1, true, 'SMPP', $2, 'smpp:', 'POST', $3, '', $4)
       on conflict (owner_id, event) where is_smpp do update set served_at = $4`,
      [OwnerId, event, statuses, now],
    );
  }

  async idOf(OwnerId: string, event: WebhookEvent): Promise<string | undefined> {
    const [row] = await this.db.query<{ id: string }>(
      `select id from webhooks where owner_id = $1 and event = $2 and is_smpp`,
      [OwnerId, event],
    );
    return row?.id;
  }

  /** Those that nothing was delivered from, and nobody bound for, since. */
  async removeUnused(before: Date): Promise<void> {
    await this.db.query(`delete from webhooks where is_smpp and served_at < $1`, [before]);
  }
}
