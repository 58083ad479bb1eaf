import type { Coordinates, Place } from '@heliograph/contract';
import { AppError } from '../../core/errors.ts';

/** At sea, and wherever no country is. */
export const NOWHERE: Place = { country: null, continent: null, city: null, isoCode: null };

/** Whoever knows where a point lies. Throws `unavailable`, or `rate_limited` when it has too much to do. */
export abstract class Geocoder {
  abstract locate(at: Coordinates): Promise<Place>;
}

export class NoGeocoder extends Geocoder {
  override locate(): Promise<Place> {
    return Promise.reject(new AppError('unavailable', 'No geocoder is configured'));
  }
}
