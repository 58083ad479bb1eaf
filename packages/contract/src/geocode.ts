import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/** A point on the Earth in degrees, WGS 84. */
export const Coordinates = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
export type Coordinates = z.infer<typeof Coordinates>;

/** Where a point lies, in English; all null at sea, the city where none is near. */
export const Place = z.object({
  country: z.string().nullable(),
  continent: z.string().nullable(),
  city: z.string().nullable(),
  /** ISO 3166-1 alpha-2, and `XK` for Kosovo. */
  isoCode: z.string().nullable(),
});
export type Place = z.infer<typeof Place>;

export const geocode = {
  /** Of the coordinates nothing is kept. 429 tells when to come again. */
  lookup: endpoint('POST', '/geocode', {
    body: Coordinates,
    response: Place,
    can: 'telemetry.create',
    summary: 'Country and city of a point',
  }),
};
