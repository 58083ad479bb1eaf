import { Injectable } from '@nestjs/common';
import type { Page, Referral, referrals, ReferralStatistics } from '@heliograph/contract';
import { maskName } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { ReferredAccountsStore } from './referred-accounts.store.ts';

const DAY_MS = 86_400_000;

/** What an account may know of the accounts that it referred. */
@Injectable()
export class ReferredAccountsService {
  constructor(
    private readonly store: ReferredAccountsStore,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async find({ scope }: Actor, query: In<typeof referrals.find>['query']): Promise<Page<Referral>> {
    const since = this.since();
    const page = await this.store.find(scope, query, since);
    const data = page.data.map(({ username, createdAt, currency, ...row }) => ({
      ...row,
      name: maskName(username),
      state: createdAt > since ? ('active' as const) : ('ended' as const),
      currency: this.settings.currency(currency),
      createdAt: createdAt.toISOString(),
      endsAt: this.endOf(createdAt),
    }));
    return { ...page, data };
  }

  async statistics(actor: Actor, OwnerId = actor.OwnerId): Promise<ReferralStatistics> {
    const now = this.clock.now();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
    const sums = await this.store.sums(actor.scope, OwnerId, this.since(), month);
    if (!sums) throw notFound();
    const { oldestActive, currency, ...rest } = sums;
    return {
      ...rest,
      percent: this.config.REFERRAL_BONUS_PERCENT,
      days: this.config.REFERRAL_BONUS_DAYS,
      nextEndsAt: oldestActive && this.endOf(oldestActive),
      currency: this.settings.currency(currency),
    };
  }

  private since(): Date {
    return new Date(this.clock.now().getTime() - this.config.REFERRAL_BONUS_DAYS * DAY_MS);
  }

  private endOf(createdAt: Date): string {
    return new Date(createdAt.getTime() + this.config.REFERRAL_BONUS_DAYS * DAY_MS).toISOString();
  }
}
