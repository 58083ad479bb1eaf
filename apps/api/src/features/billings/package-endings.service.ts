import { Injectable } from '@nestjs/common';
import { PACKAGE_NOTICE_DAYS } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { PackageUnitsStore } from './package-units.store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 200;

/** Notifies the owner of a package before it ends with units. */
@Injectable()
export class PackageEndingsService {
  constructor(
    private readonly db: Db,
    private readonly store: PackageUnitsStore,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  @Sweeps(60_000)
  async notify(): Promise<boolean> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + PACKAGE_NOTICE_DAYS * DAY_MS);
    return this.db.transaction(async () => {
      const ending = await this.store.markEnding(now, until, BATCH_SIZE);
      await this.notifications.notifyAll(
        'PackageEnding',
        ending.map(({ OwnerId, endsAt, notified: _, ...one }) => ({
          OwnerId,
          data: { ...one, endsAt: endsAt.toISOString() },
        })),
      );
      return ending.length === BATCH_SIZE;
    });
  }
}
