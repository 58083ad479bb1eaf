import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { rateHeaders, RateLimits, take } from '../../core/rate-limits.ts';

const WINDOW_SECONDS = 15 * 60;
const LOGIN_LIMIT = 5;
const ADDRESS_LIMIT = 50;

/**
 * Limits failed logins to 5 in 15 minutes per username and address, and to 50 per address. A known device has its own
 * count, so that others at the same address cannot lock the user out.
 */
@Injectable()
export class LoginLimit {
  private readonly byName: RateLimiterRedis;
  private readonly byAddress: RateLimiterRedis;

  constructor(limits: RateLimits) {
    this.byName = limits.of('login:name', LOGIN_LIMIT, WINDOW_SECONDS);
    this.byAddress = limits.of('login:address', ADDRESS_LIMIT, WINDOW_SECONDS);
  }

  /**
   * Counts an attempt before the password is verified, so that concurrent attempts cannot exceed the limit. Returns the
   * rate limit headers. Throws `rate_limited`.
   */
  async take(username: string, ip: string, device: string | null): Promise<Record<string, string>> {
    const from = key(username, device ?? ip);
    const name = await take(this.byName, from);
    try {
      await (device ? this.byAddress.penalty(ip) : take(this.byAddress, ip));
    } catch (refused) {
      await Promise.all([this.byName.reward(from), this.byAddress.reward(ip)]);
      throw refused;
    }
    return rateHeaders(name, LOGIN_LIMIT);
  }

  /** Takes back the count of an attempt that was no failure. The failures before it stay counted. */
  async giveBack(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    const from = key(username, device ?? ip);
    const [name] = await Promise.all([this.byName.reward(from), this.byAddress.reward(ip)]);
    return rateHeaders(name, LOGIN_LIMIT);
  }

  /** Resets the failures of the name and takes back the count of the address. */
  async succeeded(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    await Promise.all([this.byName.delete(key(username, device ?? ip)), this.byAddress.reward(ip)]);
    return rateHeaders({ consumedPoints: 0, msBeforeNext: 0 }, LOGIN_LIMIT);
  }

  /** Resets the failures of the name from these devices and addresses. */
  async resetAttempts(username: string, from: string[]): Promise<void> {
    await Promise.all(from.map((source) => this.byName.delete(key(username, source))));
  }
}

const key = (username: string, from: string) => `${username.toLowerCase()}|${from}`;
