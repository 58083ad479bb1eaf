import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { rateHeaders, RateLimits, take } from '../../core/rate-limits.ts';

const WINDOW_SECONDS = 15 * 60;
const LOGIN_LIMIT = 5;
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

  /**
   * Counts an attempt before it is judged, so that many at once do not get past the limit, and says what is left.
   * Throws `rate_limited` when a name from an address, or the address, has failed too often.
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

  /** It was no failure: the name's are forgotten, the address keeps its others. */
  async succeeded(
    username: string,
    ip: string,
    device: string | null,
  ): Promise<Record<string, string>> {
    await Promise.all([this.byName.delete(key(username, device ?? ip)), this.byAddress.reward(ip)]);
    return rateHeaders({ consumedPoints: 0, msBeforeNext: 0 }, LOGIN_LIMIT);
  }

  /** The name's failures from these places are forgotten. */
  async resetAttempts(username: string, from: string[]): Promise<void> {
    await Promise.all(from.map((place) => this.byName.delete(key(username, place))));
  }
}

const key = (username: string, from: string) => `${username.toLowerCase()}|${from}`;
