import { Injectable } from '@nestjs/common';
import type { Coordinates, LocationConsent } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { ownScope, refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { rateLimited } from '../../core/rate-limits.ts';
import { uuidTime } from '../../core/uuid.ts';
import { GeocodeService } from '../geocode/geocode.service.ts';
import { ConsentsStore, type Consent } from './consents.store.ts';
import { TelemetryStore } from './telemetry.store.ts';
import type { Visit } from './visit.entity.ts';

/** The place of a user is looked up once in this period (specification, section 9). */
const PERIOD_MS = 24 * 3600 * 1000;

/** Places of visits, which are stored only with the user's consent. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly db: Db,
    private readonly store: ConsentsStore,
    private readonly visits: TelemetryStore,
    private readonly geocoder: GeocodeService,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly audit: Audit,
  ) {}

  async of({ userId }: Actor): Promise<LocationConsent> {
    const consent = await this.store.of(userId);
    const wait = this.waitOf(consent);
    const nextAt = wait > 0 ? new Date(this.clock.now().getTime() + wait).toISOString() : null;
    return { isAllowed: consent?.isAllowed ?? null, nextAt };
  }

  /** False in impersonated sessions, where the client is not the user's. */
  async allows({ userId, actorId }: Actor): Promise<boolean> {
    return !actorId && ((await this.store.of(userId))?.isAllowed ?? false);
  }

  /** Stores the consent. Stored places are deleted when it is withdrawn. */
  async decide(actor: Actor, isAllowed: boolean): Promise<LocationConsent> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    await this.db.transaction(async () => {
      const before = { isAllowed: (await this.store.of(userId))?.isAllowed ?? null };
      await this.store.decide(userId, isAllowed, this.clock.now());
      const changed = isAllowed ? [] : await this.visits.dropPlaces(OwnerId, userId);
      for (const id of changed) this.events.changed('telemetry', 'updated', OwnerId, id);
      await this.audit.record({ OwnerId, target: ['users', userId], before, after: { isAllowed } });
    });
    return this.of(actor);
  }

  /** Adds country and city to a visit. Coordinates are not stored. */
  async locate(actor: Actor, id: string, at: Coordinates): Promise<Visit> {
    refuseImpersonated(actor);
    const { userId, OwnerId } = actor;
    const now = this.clock.now();
    const since = new Date(now.getTime() - PERIOD_MS);
    const visit = await this.visits.get(ownScope(OwnerId), id);
    if (visit.UserId !== userId) throw notFound();
    if (visit.data.country || uuidTime(id) < since) throw new AppError('conflict');
    if (!(await this.store.claim(userId, now, since))) {
      const consent = await this.store.of(userId);
      if (!consent?.isAllowed) throw new AppError('forbidden', 'The user has not consented');
      throw rateLimited({ consumedPoints: 1, msBeforeNext: this.waitOf(consent) }, 1);
    }
    try {
      const place = await this.geocoder.locate(actor, at);
      await this.db.transaction(async () => {
        if (await this.visits.addPlace(userId, id, place))
          this.events.changed('telemetry', 'updated', OwnerId, id);
      });
    } catch (error) {
      await this.store.release(userId, now);
      throw error;
    }
    return this.visits.get(ownScope(OwnerId), id);
  }

  /** Milliseconds until the next lookup. */
  private waitOf(consent: Consent | undefined): number {
    if (!consent?.locatedAt) return 0;
    return consent.locatedAt.getTime() + PERIOD_MS - this.clock.now().getTime();
  }
}
