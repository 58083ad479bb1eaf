import { Injectable } from '@nestjs/common';
import { TOKEN_EXPIRY_NOTICE_DAYS } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { TokensStore } from './tokens.store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 200;

/** Notifies the owner of a token before it expires, and when it has expired. */
@Injectable()
export class TokenExpiryService {
  constructor(
    private readonly db: Db,
    private readonly store: TokensStore,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  @Sweeps(60_000)
  async notify(): Promise<boolean> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + TOKEN_EXPIRY_NOTICE_DAYS * DAY_MS);
    return this.db.transaction(async () => {
      const expiring = await this.store.markExpiring(now, until, BATCH_SIZE);
      const expired = await this.store.markExpired(now, BATCH_SIZE);
      for (const { OwnerId, expiredAt, ...token } of expiring)
        await this.notifications.notify(OwnerId, 'TokenExpiring', {
          ...token,
          date: expiredAt.toISOString(),
        });
      for (const { OwnerId, expiredAt, ...token } of expired)
        await this.notifications.notify(OwnerId, 'TokenExpired', {
          ...token,
          date: expiredAt.toISOString(),
        });
      return expiring.length === BATCH_SIZE || expired.length === BATCH_SIZE;
    });
  }
}
