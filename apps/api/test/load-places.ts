import type { Place } from '@heliograph/contract';
import { AppError } from '../src/core/errors.ts';
import { Geocoder } from '../src/features/geocode/geocoder.ts';
import { until, type World } from './world.ts';

/** The first look-up of the API loads the places: on a busy machine it may take longer than a look-up is waited for. */
export async function loadPlaces(world: World): Promise<void> {
  const geocoder = world.api.get(Geocoder, { strict: false });
  const locate = (): Promise<Place | null> =>
    geocoder.locate({ latitude: 0, longitude: 0 }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return null;
      throw error;
    });
  await until(locate, 'the places', 240_000);
}
