import { Injectable } from '@nestjs/common';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BroadcastsStore, type Broadcast, type BroadcastAudience } from './broadcasts.store.ts';
import { TariffDigestsStore } from './tariff-digests.store.ts';

const BATCH_SIZE = 500;
const KEPT_SECONDS = 30 * 86_400;

/** Notifications to many accounts. A batch and the position after it are one transaction, so each account is notified once. */
@Injectable()
export class BroadcastsService {
  constructor(
    private readonly db: Db,
    private readonly store: BroadcastsStore,
    private readonly tariffs: TariffDigestsStore,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /** In the caller's transaction. */
  start(broadcast: Broadcast, audience: BroadcastAudience): Promise<void> {
    return this.store.add(broadcast, audience);
  }

  @Sweeps(1000)
  run(): Promise<boolean> {
    return this.db.transaction(async () => {
      const broadcast = await this.store.lockNext();
      if (!broadcast) return false;
      const { id, type, data } = broadcast;
      const accounts = await this.store.accountsAfter(broadcast, BATCH_SIZE);
      await this.notifications.notifyAll(
        type,
        accounts.map((OwnerId) => ({ OwnerId, data })),
      );
      const finishedAt = accounts.length < BATCH_SIZE ? this.clock.now() : null;
      await this.store.advance(id, accounts.at(-1) ?? null, accounts.length, finishedAt);
      return true;
    });
  }

  /** Tariffs change in the database: by seeds, and by operators. */
  @Sweeps(30_000)
  notifyOfTariffs(): Promise<void> {
    return this.db.transaction(async () => {
      const now = this.clock.now();
      for (const { id, title } of await this.tariffs.takeChanged()) {
        const data = { source: title, date: now.toISOString() };
        await this.start({ id: uuidv7(now), type: 'TariffUpdate', data }, { tariffId: id });
      }
    });
  }

  @Sweeps(3_600_000)
  deleteFinished(): Promise<void> {
    return this.store.deleteFinished(secondsAfter(this.clock.now(), -KEPT_SECONDS));
  }
}
