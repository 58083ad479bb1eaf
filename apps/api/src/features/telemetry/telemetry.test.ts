import { auth, telemetry } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person();
});
afterAll(() => world.stop());

test('a visit is recorded with what the server saw and what the client told', async () => {
  const visit = await customer.api(telemetry.create, {
    body: { action: 'login', data: { url: '/login', country: 'Russia', city: 'Omsk' } },
    headers: { 'user-agent': 'Heliograph test' },
  });
  expect(visit).toMatchObject({
    action: 'login',
    useragent: 'Heliograph test',
    ip: '127.0.0.1',
    UserId: customer.id,
    data: { city: 'Omsk' },
  });
  const page = await customer.api(telemetry.find, { query: { filter: { action: 'login' } } });
  expect(page).toMatchObject({ total: 1, limit: 20, data: [{ id: visit.id }] });
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

test('an unknown action is refused', async () => {
  const refused = customer.api(telemetry.create, { body: { action: 'dance' as 'login' } });
  await expect(refused).rejects.toMatchObject({ status: 422 });
});

test('from where somebody above works is told to nobody below', async () => {
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
