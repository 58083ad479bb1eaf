import { Injectable } from '@nestjs/common';
import type { Coordinates, Place } from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Actor } from '../../core/auth/actor.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { Geocoder } from './geocoder.ts';

/** Requests per minute and account. */
export const GEOCODE_LIMIT = 30;

@Injectable()
export class GeocodeService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly geocoder: Geocoder,
    limits: RateLimits,
  ) {
    this.limit = limits.of('geocode', GEOCODE_LIMIT, 60);
  }

  /** The place of a point. Coordinates are not stored. */
  async locate({ OwnerId }: Actor, at: Coordinates): Promise<Place> {
    await take(this.limit, OwnerId);
    return this.geocoder.locate(at);
  }
}
