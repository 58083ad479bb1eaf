import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { rateHeaders, rateLimited, RateLimits } from '../../core/rate-limits.ts';

const WINDOW_SECONDS = 15 * 60;
export const LOGIN_LIMIT = 5;
const ADDRESS_LIMIT = 50;

/**
 * Failures count: 5 in 15 minutes for a name from an address, 50 for an address. A remembered device of the name has a
 * count of its own, so that strangers at the same address cannot lock its owner out.
 */
@Injectable()
export class LoginLimit {
  private readonly byName: RateLimiterRedis;
  private readonly byAddress: RateLimiterRedis;

  constructor(limits: RateLimits) {
    this.byName = limits.of('login:name', LOGIN_LIMIT, WINDOW_SECONDS);
    this.byAddress = limits.of('login:address', ADDRESS_LIMIT, WINDOW_SECONDS);
  }

  /** Throws `rate_limited` when a name from an address, or the address, has failed too often. */
  async check(username: string, ip: string, device: string | null): Promise<void> {
    const [name, address] = await Promise.all([
      this.byName.get(key(username, device ?? ip)),
      device ? null : this.byAddress.get(ip),
    ]);
    if (name && name.consumedPoints >= LOGIN_LIMIT) throw rateLimited(name, LOGIN_LIMIT);
    if (address && address.consumedPoints >= ADDRESS_LIMIT)
      throw rateLimited(address, ADDRESS_LIMIT);
  }

  /** Counts a failure and says what is left. */
  async failed(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    const [name] = await Promise.all([
      this.byName.penalty(key(username, device ?? ip)),
      this.byAddress.penalty(ip),
    ]);
    return rateHeaders(name, LOGIN_LIMIT);
  }

  /** Forgets the name's failures; the address keeps its own. */
  async succeeded(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    await this.byName.delete(key(username, device ?? ip));
    return rateHeaders({ consumedPoints: 0, msBeforeNext: 0 }, LOGIN_LIMIT);
  }
}

const key = (username: string, from: string) => `${username.toLowerCase()}|${from}`;
