import type { Coordinates, Place } from '@heliograph/contract';
import { AppError } from '../../core/errors.ts';

/** The place of points outside of all countries. */
export const NOWHERE: Place = { country: null, continent: null, city: null, isoCode: null };

/** Reverse geocoding. Throws `unavailable`, or `rate_limited` if the service is overloaded. */
export abstract class Geocoder {
  abstract locate(at: Coordinates): Promise<Place>;
}

export class NoGeocoder extends Geocoder {
  override locate(): Promise<Place> {
    return Promise.reject(new AppError('unavailable', 'No geocoder is configured'));
  }
}
