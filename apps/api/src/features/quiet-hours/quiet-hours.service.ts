import { Injectable } from '@nestjs/common';
import type { QuietHours, quietHours } from '@heliograph/contract';
import { DEFAULT_GROUP, quietCountries, type QuietCountries } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { QuietHoursStore, type Release, type Values } from './quiet-hours.store.ts';

const DEFAULTS: Values = {
  isActive: false,
  from: 21 * 60,
  until: 9 * 60,
  groups: [DEFAULT_GROUP],
  singles: false,
  timeZone: 'Europe/Moscow',
};

/** When changed hours are compared with what waits: after each worker has read them, and after each transaction that had not. */
const RELEASE_SECONDS = [2, 60];

/** When messages of an account wait. */
@Injectable()
export class QuietHoursService {
  /** Of accounts whose quiet hours are active, else null. A change applies within a second. */
  private readonly active = new TtlCache(async (OwnerId: string) => {
    const found = await this.store.get(systemScope, OwnerId);
    return found?.isActive ? found : null;
  });

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: QuietHoursStore,
    private readonly audit: Audit,
    private readonly config: Config,
  ) {}

  private countries: { of: readonly string[]; quiet: QuietCountries } | null = null;

  /** The countries whose numbers have quiet hours of their own. */
  ofCountries(): QuietCountries {
    const of = this.config.COUNTRY_QUIET_HOURS;
    if (this.countries?.of !== of) this.countries = { of, quiet: quietCountries(of) };
    return this.countries.quiet;
  }

  /** After a change of those of countries: accounts whose messages wait compare them. False when none is due. */
  planCountryReleases(now: Date): Promise<boolean> {
    return this.db.transaction(() => this.store.planCountryReleases(now));
  }

  /** Null while the account sends at any time. */
  activeOf(OwnerId: string): Promise<Values | null> {
    return this.active.get(OwnerId);
  }

  async get({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<QuietHours> {
    return { OwnerId, ...((await this.store.get(scope, OwnerId)) ?? DEFAULTS) };
  }

  async update(actor: Actor, given: In<typeof quietHours.update>['body']): Promise<QuietHours> {
    const { OwnerId } = actor;
    const after = await this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const before = await this.get(actor);
      await this.store.set(OwnerId, { ...given, groups: [...new Set(given.groups)] });
      if (before.isActive) {
        const now = this.clock.now();
        await this.store.planReleases(
          OwnerId,
          RELEASE_SECONDS.map((seconds) => secondsAfter(now, seconds)),
        );
      }
      const changed = await this.get(actor);
      await this.audit.record({ OwnerId, target: ['users', OwnerId], before, after: changed });
      return changed;
    });
    this.active.invalidate(OwnerId);
    return after;
  }

  /** Calls `work` with a due release, in one transaction; it returns the last batch that it compared. False when none is due. */
  release(now: Date, work: (due: Release) => Promise<string | null>): Promise<boolean> {
    return this.db.transaction(async () => {
      const due = await this.store.lockRelease(now);
      if (due) await this.store.setCursor(due, await work(due));
      return due !== undefined;
    });
  }
}
