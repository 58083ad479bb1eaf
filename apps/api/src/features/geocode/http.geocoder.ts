import type { Coordinates, Place } from '@heliograph/contract';
import * as z from 'zod';
import type { Config } from '../../core/config.ts';
import { fetchService, busy, unavailable } from '../../core/http/service-client.ts';
import { Geocoder, NOWHERE } from './geocoder.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 64 * 1024;
/** Detail level of towns. */
const ZOOM = '10';

const Name = z.string().trim().min(1).max(120);
const Answer = z.union([
  z.object({
    address: z.object({
      country: Name,
      country_code: z
        .string()
        .regex(/^[a-z]{2}$/i)
        .toUpperCase(),
      continent: Name.optional(),
      city: Name.optional(),
      town: Name.optional(),
      village: Name.optional(),
      municipality: Name.optional(),
    }),
  }),
  /** No place at this point. */
  z.object({ error: z.string() }),
]);

/** A service with the API of Nominatim's `/reverse`. */
export class HttpGeocoder extends Geocoder {
  constructor(private readonly config: Config) {
    super();
  }

  override async locate({ latitude, longitude }: Coordinates): Promise<Place> {
    const { GEOCODER_URL, GEOCODER_KEY } = this.config;
    const url = new URL(GEOCODER_URL!);
    const query = { lat: `${latitude}`, lon: `${longitude}`, zoom: ZOOM, addressdetails: '1' };
    for (const [name, value] of Object.entries({ ...query, format: 'jsonv2' }))
      url.searchParams.set(name, value);
    const answer = await fetchService(url, {
      headers: {
        accept: 'application/json',
        'accept-language': 'en',
        'user-agent': 'Heliograph',
        ...(GEOCODER_KEY && { authorization: `Bearer ${GEOCODER_KEY}` }),
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER,
    });
    if (answer.status === 429) throw busy(answer);
    if (answer.status !== 200)
      throw unavailable(`the geocoder responded with status ${answer.status}`);
    return placeOf(answer.bytes.toString('utf8'));
  }
}

function placeOf(json: string): Place {
  try {
    const answer = Answer.parse(JSON.parse(json));
    if ('error' in answer) return NOWHERE;
    const { country, country_code, continent, city, town, village, municipality } = answer.address;
    return {
      country,
      continent: continent ?? null,
      city: city ?? town ?? village ?? municipality ?? null,
      isoCode: country_code,
    };
  } catch {
    throw unavailable('the geocoder returned an invalid response');
  }
}
