import { Injectable } from '@nestjs/common';
import type { BankSuggestion, CleanName, CompanySuggestion } from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Actor } from '../../core/auth/actor.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { LookupDriver } from './lookup-driver.ts';

/** Requests per minute and account. */
export const LOOKUP_LIMIT = 60;
const CACHE_MS = 60_000;

@Injectable()
export class LookupsService {
  private readonly limit: RateLimiterRedis;
  private readonly found: {
    companies: TtlCache<CompanySuggestion[]>;
    banks: TtlCache<BankSuggestion[]>;
  };

  constructor(
    private readonly driver: LookupDriver,
    limits: RateLimits,
  ) {
    this.limit = limits.of('lookups', LOOKUP_LIMIT, 60);
    const ttl = () => CACHE_MS;
    this.found = {
      companies: new TtlCache((inn: string) => driver.companies(inn), ttl),
      banks: new TtlCache((query: string) => driver.banks(query), ttl),
    };
  }

  async companies({ OwnerId }: Actor, inn: string): Promise<CompanySuggestion[]> {
    await take(this.limit, OwnerId);
    return this.found.companies.get(inn);
  }

  async banks({ OwnerId }: Actor, query: string): Promise<BankSuggestion[]> {
    await take(this.limit, OwnerId);
    return this.found.banks.get(query.toLowerCase());
  }

  /** Not cached: it is personal data. */
  async name({ OwnerId }: Actor, query: string): Promise<CleanName> {
    await take(this.limit, OwnerId);
    return this.driver.name(query);
  }
}
