import { Injectable } from '@nestjs/common';
import type { WebhookStatus } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { countOf, type Quota } from '../../core/quotas.ts';

/** Queues of callbacks are as many as webhooks, and counted apart. */
export const CALLBACKS_QUOTA: Quota = {
  name: 'callbacks',
  limit: (config) => config.QUOTA_WEBHOOKS,
  used: `${countOf('webhooks')} and callback_api is not null`,
};

export interface NewCallbackQueue {
  OwnerId: string;
  TokenId: string;
  api: string;
  title: string;
  /** The origin of the URLs. */
  url: string;
  method: 'GET' | 'POST';
  statuses: readonly WebhookStatus[];
  secret: Buffer;
  /** 410 is a server that wants to hear no more of this message. */
  successOn: { status: string; body: null };
}

/** The queues of callbacks of messages: rows of `webhooks` that are no webhooks. */
@Injectable()
export class MessageCallbacksStore {
  constructor(private readonly db: Db) {}

  /** The id of a queue that is in use until `until`, and is active again; undefined if there is none. */
  async use(
    { OwnerId, title, url }: Pick<NewCallbackQueue, 'OwnerId' | 'title' | 'url'>,
    until: Date,
  ): Promise<{ id: string; wasActive: boolean } | undefined> {
    const [row] = await this.db.query<{ id: string; wasActive: boolean }>(
      `with found as (
         select id, state = 'active' as is_active from webhooks
          where owner_id = $1 and title = $2 and url = $3 and callback_api is not null for update)
       update webhooks w
          set used_at = greatest(w.used_at, $4), state = 'active', reason = null,
              failures = case when f.is_active then w.failures else 0 end,
              failing_since = case when f.is_active then w.failing_since end,
              blocked_until = case when f.is_active then w.blocked_until end
         from found f where w.id = f.id returning w.id, f.is_active as "wasActive"`,
      [OwnerId, title, url, until],
    );
    return row;
  }

  /** False if another call has just added it. */
  async add(queue: NewCallbackQueue, until: Date): Promise<boolean> {
    const added = await this.db.execute(
      `insert into webhooks (owner_id, token_id, callback_api, title, event, url, method, statuses, secret, success_on, used_at)
       values ($1, $2, $3, $4, 'sendings.status', $5, $6, $7, $8, $9, $10)
       on conflict (owner_id, title, url) where callback_api is not null do nothing`,
      [
        queue.OwnerId,
        queue.TokenId,
        queue.api,
        queue.title,
        queue.url,
        queue.method,
        queue.statuses,
        queue.secret,
        queue.successOn,
        until,
      ],
    );
    return added > 0;
  }

  /** Those that no message has named for so long. */
  async removeUnused(before: Date): Promise<void> {
    await this.db.query(`delete from webhooks where callback_api is not null and used_at < $1`, [
      before,
    ]);
  }
}
