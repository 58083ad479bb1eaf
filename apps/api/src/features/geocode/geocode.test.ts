import { geocode, type Coordinates } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalService } from '../../../test/external-service.ts';
import { type Person, World } from '../../../test/world.ts';
import { loadConfig } from '../../core/config.ts';
import { GEOCODE_LIMIT } from './geocode.service.ts';
import { Geocoder, NOWHERE } from './geocoder.ts';
import { Places } from './places.ts';

const find = (who: Person, latitude: number, longitude: number) =>
  who.api(geocode.lookup, { body: { latitude, longitude } });

describe('places', () => {
  const places = new Places();
  test.each<[latitude: number, longitude: number, ...place: (string | null)[]]>([
    [55.75, 37.62, 'Russia', 'Europe', 'Moscow', 'RU'],
    [55.79, 49.12, 'Russia', 'Europe', 'Kazan', 'RU'],
    [43.12, 131.89, 'Russia', 'Asia', 'Vladivostok', 'RU'],
    [43.25, 76.9, 'Kazakhstan', 'Asia', 'Almaty', 'KZ'],
    [40.42, -3.7, 'Spain', 'Europe', 'Madrid', 'ES'],
    [19.43, -99.13, 'Mexico', 'North America', 'Mexico City', 'MX'],
    [-23.55, -46.63, 'Brazil', 'South America', 'São Paulo', 'BR'],
    // A bigger town is near, in another country; and a part of a bigger one, in the same.
    [55.6, 13, 'Sweden', 'Europe', 'Malmö', 'SE'],
    [31.69, -106.48, 'Mexico', 'North America', 'Juárez', 'MX'],
    [55.42, 37.55, 'Russia', 'Europe', 'Podolsk', 'RU'],
    // Codes that are only reserved are none.
    [48.86, 2.35, 'France', 'Europe', 'Paris', 'FR'],
    [42.66, 21.16, 'Kosovo', 'Europe', 'Pristina', 'XK'],
    // Without inhabited places nearby.
    [25, 5, 'Algeria', 'Africa', null, 'DZ'],
    [-90, 0, 'Antarctica', 'Antarctica', null, 'AQ'],
    [-16.8, 180, 'Fiji', 'Oceania', null, 'FJ'],
    [-16.8, -180, 'Fiji', 'Oceania', null, 'FJ'],
  ])('%d, %d', (latitude, longitude, country, continent, city, isoCode) => {
    const place = places.locate({ latitude, longitude });
    expect(place).toEqual({ country, continent, city, isoCode });
  });

  test.each([
    [0, -140],
    [90, 0],
    [35, -40],
  ])('%d, %d is at sea', (latitude, longitude) => {
    expect(places.locate({ latitude, longitude })).toBeNull();
  });
});

describe('an installation with the data that come along', () => {
  let world: World;
  let customer: Person;
  beforeAll(async () => {
    world = await World.start();
    customer = await world.person();
  });
  afterAll(() => world.stop());

  test('returns the place of a point, and none at sea', async () => {
    expect(await find(customer, 55.79, 49.12)).toEqual({
      country: 'Russia',
      continent: 'Europe',
      city: 'Kazan',
      isoCode: 'RU',
    });
    expect(await find(customer, 0, -140)).toEqual(NOWHERE);
    expect(await Promise.all([find(customer, 40.42, -3.7), find(customer, 0, 0)])).toEqual([
      expect.objectContaining({ city: 'Madrid' }),
      NOWHERE,
    ]);
  });

  test('its thread is restarted, and reading delays no caller', async () => {
    const geocoder = world.api.get(Geocoder) as Geocoder & { onApplicationShutdown(): unknown };
    await geocoder.onApplicationShutdown();
    const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
    expect((await find(customer, 40.42, -3.7)).city).toBe('Madrid');
    // Reading the data would block the event loop: nearly all of the work is that of the other thread.
    const { user } = process.cpuUsage(all);
    expect(process.threadCpuUsage(own).user / user).toBeLessThan(0.5);
  });

  test('a thread that exits ends no request of the one after it', async () => {
    const geocoder = world.api.get(Geocoder) as Geocoder & {
      onApplicationShutdown(): Promise<void>;
    };
    await find(customer, 40.42, -3.7);
    const exited = geocoder.onApplicationShutdown();
    const [place] = await Promise.all([
      geocoder.locate({ latitude: 40.42, longitude: -3.7 }),
      exited,
    ]);
    expect(place.city).toBe('Madrid');
  });

  test('a request that waits for a thread that is stopped is refused at once', async () => {
    const geocoder = world.api.get(Geocoder) as Geocoder & {
      onApplicationShutdown(): Promise<void>;
    };
    const place = geocoder.locate({ latitude: 40.42, longitude: -3.7 });
    const stopped = geocoder.onApplicationShutdown();
    await expect(place).rejects.toMatchObject({ code: 'unavailable' });
    await stopped;
  });

  test.each<[problem: string, body: unknown]>([
    ['latitude', { latitude: 90.001, longitude: 0 }],
    ['latitude', { latitude: -91, longitude: 0 }],
    ['longitude', { latitude: 0, longitude: 180.5 }],
    ['longitude', { latitude: 0, longitude: -1e308 }],
    ['latitude', { latitude: '55', longitude: 0 }],
    ['latitude', { latitude: null, longitude: 0 }],
    ['latitude', { longitude: 0 }],
    ['latitude', { latitude: [1], longitude: 0 }],
    ['accuracy', { latitude: 0, longitude: 0, accuracy: 5 }],
  ])('%s is refused: %j', async (field, body) => {
    await expect(customer.api(geocode.lookup, { body: body as Coordinates })).rejects.toMatchObject(
      {
        status: 422,
        body: { data: expect.arrayContaining([expect.objectContaining({ field })]) as unknown },
      },
    );
  });

  test('a number that JSON cannot hold is none', async () => {
    const answer = await fetch(`${world.base}/api/geocode`, {
      method: 'POST',
      headers: { authorization: customer.token, 'content-type': 'application/json' },
      body: '{"latitude":1e999,"longitude":0}',
    });
    expect(answer.status).toBe(422);
  });

  test('users without a session or the permission get no place', async () => {
    const body = { latitude: 0, longitude: 0 };
    await expect(world.client()(geocode.lookup, { body })).rejects.toMatchObject({ status: 401 });
    const without = await world.person({ grants: { remove: ['telemetry.create'] } });
    await expect(find(without, 0, 0)).rejects.toMatchObject({ status: 403 });
  });

  test('an account over its rate limit gets Retry-After', async () => {
    const busy = await world.person();
    await Promise.all(Array.from({ length: GEOCODE_LIMIT }, () => find(busy, 0, 0)));
    await expect(find(busy, 0, 0)).rejects.toMatchObject({
      status: 429,
      body: { code: 'rate_limited', payload: { expires_at: expect.any(String) as string } },
    });
  });
});

test('without a geocoder there is no place', async () => {
  const world = await World.start({ GEOCODER: 'off' });
  try {
    await expect(find(await world.person(), 0, 0)).rejects.toMatchObject({ status: 503 });
  } finally {
    await world.stop();
  }
});

test('a service requires a URL', () => {
  const env = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };
  expect(() => loadConfig({ ...env, GEOCODER: 'http' })).toThrow(/GEOCODER_URL/);
  expect(() => loadConfig({ ...env, GEOCODER: 'magic' })).toThrow(/GEOCODER/);
  expect(loadConfig(env).GEOCODER).toBe('local');
});

describe('an installation with a service', () => {
  let world: World;
  let customer: Person;
  const service = new ExternalService<null>();
  beforeAll(async () => {
    const address = await service.start();
    world = await World.start({
      GEOCODER: 'http',
      GEOCODER_URL: `${address}reverse?email=ops@tea.example`,
      GEOCODER_KEY: 'key-of-ours',
    });
    customer = await world.person();
  });
  afterAll(async () => {
    await world.stop();
    service.stop();
  });
  const kazan = { country: 'Russia', country_code: 'ru', city: 'Kazan' };

  test('sends a request of Nominatim’s form with the key and without data of the account', async () => {
    service.reply = [200, JSON.stringify({ display_name: 'Kazan, Russia', address: kazan })];
    expect(await find(customer, 55.79, 49.12)).toEqual({
      country: 'Russia',
      continent: null,
      city: 'Kazan',
      isoCode: 'RU',
    });
    const { headers, url } = service.received;
    expect(headers.authorization).toBe('Bearer key-of-ours');
    const { pathname, searchParams } = new URL(url, 'http://service');
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/reverse',
      {
        email: 'ops@tea.example',
        lat: '55.79',
        lon: '49.12',
        zoom: '10',
        addressdetails: '1',
        format: 'jsonv2',
      },
    ]);
  });

  test.each([
    [{ address: { country: 'Russia', country_code: 'ru', village: 'Tea' } }, 'Tea'],
    [{ address: { country: 'Russia', country_code: 'ru' } }, null],
    [{ error: 'Unable to geocode' }, null],
  ])('%j is in %j', async (answer, city) => {
    service.reply = [200, JSON.stringify(answer)];
    expect((await find(customer, 1, 2)).city).toBe(city);
  });

  test.each<[status: number, answer: string]>([
    [500, 'key-of-ours is wrong'],
    [302, ''],
    [200, 'no JSON'],
    [200, '[]'],
    [200, '{"address":{}}'],
    [200, JSON.stringify({ address: { ...kazan, country_code: '<b>' } })],
    [200, JSON.stringify({ address: { ...kazan, city: 'x'.repeat(121) } })],
    [200, JSON.stringify({ address: kazan, more: 'x'.repeat(70_000) })],
  ])('is not available when it answers %i %.40s', async (...answer) => {
    service.reply = answer;
    const refused = await find(customer, 1, 2).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(JSON.stringify((refused as { body: object }).body)).not.toContain('key-of-ours');
  });

  test('passes on that it is busy', async () => {
    service.reply = [429, '{}', { 'retry-after': '7' }];
    await expect(find(customer, 1, 2)).rejects.toMatchObject({ status: 429 });
  });
});
