import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { networkOf, type Visitor } from '../../core/http/visitor.ts';
import { RateLimits } from '../../core/rate-limits.ts';
import { AuthStore } from './auth.store.ts';
import { isBrowser } from '../../core/http/user-agent.ts';

/** Notices of new devices per user and hour, so that nobody who knows a password can flood a mailbox. */
const MAX_NOTICES = 5;
const NOTICES_SECONDS = 3600;

/** Decides whether a user is notified of a sign-in. */
@Injectable()
export class NewDevices {
  private readonly notices: RateLimiterRedis;

  constructor(
    private readonly store: AuthStore,
    limits: RateLimits,
  ) {
    this.notices = limits.of('new-device', MAX_NOTICES, NOTICES_SECONDS);
  }

  /**
   * False for a known device and for the first sign-in after the registration. Clients that are no browsers keep no cookie;
   * they are known by their address and user agent. Must be called before the session is opened.
   */
  async isNew(userId: string, device: string | null, visitor: Visitor): Promise<boolean> {
    if (device || !(await this.store.hasSignedIn(userId))) return false;
    if (!isBrowser(visitor.useragent)) {
      const addresses = await this.store.addressesOf(userId, visitor.useragent);
      if (addresses.some((ip) => networkOf(ip) === visitor.network)) return false;
    }
    return this.notices.consume(userId).then(
      () => true,
      () => false,
    );
  }
}
