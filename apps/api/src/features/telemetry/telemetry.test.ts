import { audit, auth, telemetry } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPlaces } from '../../../test/load-places.ts';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  await loadPlaces(world);
  customer = await world.person();
});
afterAll(() => world.stop());

test('a visit has the address of the request and the data of the client', async () => {
  const visit = await customer.api(telemetry.create, {
    body: { action: 'login', data: { url: '/login' } },
    headers: { 'user-agent': 'Heliograph test' },
  });
  expect(visit).toMatchObject({
    action: 'login',
    useragent: 'Heliograph test',
    ip: '127.0.0.1',
    UserId: customer.id,
    data: { url: '/login' },
  });
  const page = await customer.api(telemetry.find, { query: { filter: { action: 'login' } } });
  expect(page).toMatchObject({ total: 1, limit: 20, data: [{ id: visit.id }] });
});

test('a visit names the browser and the system of its user agent, where they are known', async () => {
  const useragent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
  const clientOf = async (header: string) => {
    const headers = { 'user-agent': header };
    const { browser, system } = await customer.api(telemetry.create, { body: {}, headers });
    return [browser, system];
  };
  expect(await clientOf(useragent)).toEqual(['Chrome 141', 'Windows 10']);
  expect(await clientOf('CRM import')).toEqual([null, null]);
});

test('visits are listed newest first, by action and by the time in their ids', async () => {
  const other = await world.person();
  const at: string[] = [];
  for (let i = 0; i < 4; i++) {
    at.push((await other.api(telemetry.create, { body: {} })).createdAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const times = async (range: { $gt?: string; $lt?: string }) => {
    const page = await other.api(telemetry.find, { query: { range: { createdAt: range } } });
    return page.data.map((visit) => visit.createdAt);
  };
  expect(await times({})).toEqual([...at].reverse());
  expect(await times({ $gt: at[0] })).toEqual([at[3], at[2], at[1]]);
  expect(await times({ $gt: at[0], $lt: at[3] })).toEqual([at[2], at[1]]);
  expect(await times({ $lt: at[0] })).toEqual([]);
  const none = await other.api(telemetry.find, { query: { filter: { action: 'logout' } } });
  expect(none.total).toBe(0);
});

test('visits are searched by address, client and place; the client of an impersonator is not', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const below = await world.person({ resellerId: reseller.id });
  const visit = (data: object, useragent: string) =>
    world.db.query(
      `insert into visits (user_id, owner_id, ip, action, useragent, data) values ($1, $1, '203.0.113.9', 'login', $2, $3)`,
      [below.id, useragent, JSON.stringify(data)],
    );
  await visit({ country: 'Germany', city: 'Bonn' }, 'Firefox 150');
  await visit({ country: 'Spain', actorId: reseller.id }, 'Secret client');
  const found = async (search: string, who = below) => {
    const query = { search, filter: { OwnerId: below.id } };
    return (await who.api(telemetry.find, { query })).total;
  };
  expect(await found('203.0.113')).toBe(1);
  expect(await found('firefox')).toBe(1);
  expect(await found('bonn')).toBe(1);
  expect(await found('spain')).toBe(1);
  for (const who of [below, reseller]) expect(await found('Secret', who)).toBe(0);
  expect(await found('100%')).toBe(0);
});

test('an unknown action is refused', async () => {
  const refused = customer.api(telemetry.create, { body: { action: 'dance' as 'login' } });
  await expect(refused).rejects.toMatchObject({ status: 422 });
});

test('addresses of superiors are not shown to lower levels', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const below = await world.person({ resellerId: reseller.id });
  const { token } = await reseller.api(auth.loginAs, { params: { id: below.id } });
  const borrowed = world.client(token);
  await borrowed(telemetry.create, { body: {} });
  const seen = async (api: Person['api']) => {
    const page = await api(telemetry.find, { query: { filter: { OwnerId: below.id } } });
    return page.data.filter(({ data }) => data.actorId).map(({ ip, useragent }) => [ip, useragent]);
  };
  expect(await seen(below.api)).toEqual([
    [null, null],
    [null, null],
  ]);
  for (const api of [reseller.api, borrowed])
    expect(await seen(api)).toEqual([
      ['127.0.0.1', expect.any(String)],
      ['127.0.0.1', expect.any(String)],
    ]);
});

const KAZAN = { latitude: 55.79, longitude: 49.12 };
const PLACE = { country: 'Russia', continent: 'Europe', city: 'Kazan', isoCode: 'RU' };
const decide = ({ api }: Pick<Person, 'api'>, isAllowed: boolean) =>
  api(telemetry.decide, { body: { isAllowed } });
const arrive = async ({ api }: Pick<Person, 'api'>) =>
  (await api(telemetry.create, { body: { data: { url: '/login' } } })).id;
const locate = ({ api }: Pick<Person, 'api'>, id: string, body = KAZAN) =>
  api(telemetry.locate, { params: { id }, body });
const dataOf = async (who: Person, id: string) =>
  (await who.api(telemetry.find)).data.find((visit) => visit.id === id)!.data;
const dayLater = ({ id }: Person) =>
  world.db.query(
    `update location_consents set located_at = located_at - interval '24 hours' where user_id = $1`,
    [id],
  );

describe('the place of a visit', () => {
  test('is stored with consent, without coordinates', async () => {
    const who = await world.person();
    expect(await who.api(telemetry.consent)).toEqual({ isAllowed: null, nextAt: null });
    expect(await decide(who, true)).toEqual({ isAllowed: true, nextAt: null });
    const id = await arrive(who);
    expect((await locate(who, id)).data).toEqual({ url: '/login', ...PLACE });
    expect(await dataOf(who, id)).toEqual({ url: '/login', ...PLACE });
    const { nextAt } = await who.api(telemetry.consent);
    expect(Date.parse(nextAt!) - Date.now()).toBeGreaterThan(23.9 * 3600_000);
    const [row] = await world.db.query<{ kept: string }>(
      `select json_build_array(
         (select json_agg(v) from visits v), (select json_agg(c) from location_consents c),
         (select json_agg(a) from audit_log a), (select json_agg(i) from idempotency_keys i))::text as kept`,
    );
    expect(row!.kept).toContain('Kazan');
    expect(row!.kept).not.toMatch(/55[.]79|49[.]12/);
  });

  test('is stored once in 24 hours, also with concurrent sign-ins', async () => {
    const who = await world.person();
    await decide(who, true);
    const ids = await Promise.all([arrive(who), arrive(who), arrive(who)]);
    const answers = await Promise.allSettled(ids.map((id) => locate(who, id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const reason of reasonsOf(answers))
      expect(reason).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    // Withdrawing and consenting again allows no other place.
    await decide(who, false);
    await decide(who, true);
    const next = await arrive(who);
    await expect(locate(who, next)).rejects.toMatchObject({ status: 429 });
    await dayLater(who);
    expect((await who.api(telemetry.consent)).nextAt).toBeNull();
    expect((await locate(who, next)).data.city).toBe('Kazan');
    // It is stored.
    await dayLater(who);
    await expect(locate(who, next)).rejects.toMatchObject({ status: 409 });
  });

  test.each([null, false])(
    'is not noted of who decided %j, whatever the client says',
    async (decided) => {
      const who = await world.person();
      if (decided !== null) await decide(who, decided);
      const { id, data } = await who.api(telemetry.create, {
        body: { data: { url: '/login', country: 'Russia', city: 'Omsk' } },
      });
      expect(data).toEqual({ url: '/login' });
      await expect(locate(who, id)).rejects.toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
      expect(await dataOf(who, id)).toEqual({ url: '/login' });
    },
  );

  test('known to the client is stored with consent', async () => {
    const who = await world.person();
    await decide(who, true);
    const body = { data: { url: '/login', country: 'Russia', city: 'Omsk' } };
    expect((await who.api(telemetry.create, { body })).data).toEqual(body.data);
  });

  test('is removed from all visits of the user when the consent is withdrawn', async () => {
    const who = await world.person();
    const other = await world.person();
    const ids = [await arrive(who), await arrive(other)] as const;
    for (const person of [who, other]) await decide(person, true);
    await locate(who, ids[0]);
    await locate(other, ids[1]);
    expect(await decide(who, false)).toMatchObject({ isAllowed: false });
    expect(await dataOf(who, ids[0])).toEqual({ url: '/login' });
    expect(await dataOf(other, ids[1])).toMatchObject(PLACE);
    const { data } = await who.api(audit.find, {
      query: { filter: { action: ['telemetry.decide'] } },
    });
    expect(data.map(({ before, after }) => [before, after])).toEqual([
      [{ isAllowed: true }, { isAllowed: false }],
      [{ isAllowed: null }, { isAllowed: true }],
    ]);
  });

  test('a point at sea has no place, and the visit stays unchanged', async () => {
    const who = await world.person();
    await decide(who, true);
    const { data } = await locate(who, await arrive(who), { latitude: 0, longitude: -140 });
    expect(data).toEqual({ url: '/login' });
  });

  test('is not written into the visit of another user of the account, by a superior or by an impersonated session', async () => {
    const reseller = await world.person({ level: 'reseller' });
    const owner = await world.person({ resellerId: reseller.id });
    const colleague = await world.person();
    await world.db.query(`update users set owner_id = $1, role = 'owner' where id = $2`, [
      owner.id,
      colleague.id,
    ]);
    const id = await arrive(owner);
    for (const person of [owner, colleague, reseller]) await decide(person, true);
    for (const person of [colleague, reseller, customer])
      await expect(locate(person, id)).rejects.toMatchObject({ status: 404 });
    const { token } = await reseller.api(auth.loginAs, { params: { id: owner.id } });
    const borrowed = { api: world.client(token) };
    for (const call of [() => locate(borrowed, id), () => decide(borrowed, false)])
      await expect(call()).rejects.toMatchObject({ body: { code: 'borrowed_session' } });
    const theirs = await borrowed.api(telemetry.create, { body: { data: { city: 'Omsk' } } });
    expect(theirs.data).toEqual({ actorId: reseller.id });
    expect(await dataOf(owner, id)).toEqual({ url: '/login' });
    expect(await owner.api(telemetry.consent)).toEqual({ isAllowed: true, nextAt: null });
  });

  test('of an old visit is not stored', async () => {
    const who = await world.person();
    await decide(who, true);
    const [row] = await world.db.query<{ id: string }>(
      `insert into visits (id, user_id, owner_id, ip, action, useragent)
       values (uuidv7(interval '-25 hours'), $1, $1, '127.0.0.1', 'login', 'test') returning id`,
      [who.id],
    );
    await expect(locate(who, row!.id)).rejects.toMatchObject({ status: 409 });
    expect((await who.api(telemetry.consent)).nextAt).toBeNull();
  });

  test.each([
    { latitude: 91, longitude: 0 },
    { latitude: 0, longitude: -181 },
    { latitude: '55', longitude: 49 },
    { latitude: 55 },
    { ...KAZAN, city: 'Omsk' },
  ])('is not looked up for %j', async (at) => {
    await expect(
      locate(customer, await arrive(customer), at as typeof KAZAN),
    ).rejects.toMatchObject({
      status: 422,
    });
  });

  test('is looked up again after a failure of the geocoder', async () => {
    const who = await world.person();
    await decide(who, true);
    const id = await arrive(who);
    const { base } = await world.startApi({ GEOCODER: 'off' });
    const away = { api: world.client(who.token, base) };
    await expect(locate(away, id)).rejects.toMatchObject({ status: 503 });
    expect((await locate(who, id)).data.city).toBe('Kazan');
  });
});
