import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/** A point on the Earth in degrees, WGS 84. */
export const Coordinates = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
export type Coordinates = z.infer<typeof Coordinates>;

/** Location of coordinates, in English. All null at sea; the city is null where none is near. */
export const Place = z.object({
  country: z.string().nullable(),
  continent: z.string().nullable(),
  city: z.string().nullable(),
  /** ISO 3166-1 alpha-2, and `XK` for Kosovo. */
  isoCode: z.string().nullable(),
});
export type Place = z.infer<typeof Place>;

export const geocode = {
  /** Coordinates are not stored. A 429 response contains the time of the next allowed request. */
  lookup: endpoint('POST', '/geocode', {
    bound: 'limiter',
    body: Coordinates,
    response: Place,
    can: 'telemetry.create',
    summary: 'Look up country and city of coordinates',
  }),
};
