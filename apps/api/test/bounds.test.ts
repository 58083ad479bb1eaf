import {
  BOUNDS,
  boundOf,
  contract,
  costOf,
  endpoint,
  MAX_ROWS_A_DAY,
  RATES,
  sendings,
  sendingsIncoming,
  settingsUser,
  tasks,
  telemetry,
  type Endpoint,
} from '@heliograph/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopTime } from './stopped-time.ts';
import { World, type Person } from './world.ts';

const WRITING = Object.entries(contract).flatMap(([resource, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([, def]) => def.method !== 'GET' || def.mutates)
    .map(([name, def]) => [`${resource}.${name}`, def] as const),
);
const SOURCES = join(import.meta.dirname, '../src/features');
const STORES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.store.ts'))
  .map((path) => readFileSync(join(SOURCES, path), 'utf8'));

test.each(WRITING)('%s adds a limited number of rows', (_, def) => {
  expect(boundOf(def)).not.toBeNull();
});

test('a new endpoint that adds rows needs a limit', () => {
  const define = (options: object) =>
    endpoint('POST', '/things', { response: z.object({}), can: 'links.create', ...options });
  expect(boundOf(define({ status: 201 }))).toBeNull();
  expect(boundOf(define({}))).toBeNull();
  // The audit log would grow without end.
  expect(boundOf(define({ quota: 'links', cost: 'write', audit: 'links.create' }))).toBeNull();
  // The account is told of every change that another one makes.
  const announced = { quota: 'links', lasting: 'announced' };
  expect(boundOf(define({ ...announced, cost: 'write' }))).toBeNull();
  expect(boundOf(define(announced))).toBe('quota links');
  expect(costOf(define(announced))).toBe('setting');
  expect(boundOf(define({ quota: 'links' }))).toBe('quota links');
  expect(boundOf(define({ bound: 'nothing' }))).toBe(BOUNDS.nothing);
  expect(boundOf(define({ cost: 'incoming' }))).toBe('incoming: 172800 a day');
});

test('quotas of the contract are those of the stores', () => {
  const unknown = WRITING.filter(
    ([, { quota }]) =>
      quota && !STORES.some((text) => text.includes(`name: '${quota}',\n  limit:`)),
  );
  expect(unknown.map(([name]) => name)).toEqual([]);
});

test.each(WRITING.filter(([, def]) => def.audit && !def.bound))(
  '%s fills no audit log',
  (_, def) => {
    const { account, network, seconds } = RATES[costOf(def)] as (typeof RATES)['login'] & {
      account?: number;
    };
    expect(((account ?? network) * 86_400) / seconds).toBeLessThanOrEqual(MAX_ROWS_A_DAY);
  },
);

describe('an account without money', () => {
  let world: World;
  let who: Person;
  beforeAll(async () => {
    // A thousandth of the limits: three refused messages, seven incoming ones and one visit of a session in an hour.
    world = await World.start({ RATE_SCALE: '0.001' });
    who = await world.person({ balance: 0 });
  });
  afterAll(() => world.stop());

  const rowsOf = async (table: string) => {
    const [row] = await world.db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where owner_id = $1`,
      [who.id],
    );
    return row!.count;
  };
  const outcome = (call: Promise<unknown>) =>
    call.then(
      // A refusal is answered as a receipt.
      (answer) => (answer as { code?: string }).code ?? 200,
      (error: { status: number; body?: { code?: string } }) => error.body?.code ?? error.status,
    );

  test('leaves a limited number of refused messages', async () => {
    stopTime();
    const body = { type: 'viber', payload: { sender: 'TEA', text: 'Tea' } } as const;
    const codes: unknown[] = [];
    for (let n = 0; n < 5; n++)
      codes.push(
        await outcome(
          who.api(sendings.create, { body: { ...body, recipient: `+7916300000${n}` } }),
        ),
      );
    const lack = 'insufficient_funds';
    expect(codes).toEqual([lack, lack, lack, 'rate_limited', 'rate_limited']);
    expect(await rowsOf('sendings')).toBe(3);
  });

  test('adds a limited number of incoming messages', async () => {
    stopTime();
    const body = { type: 'sms', from: '+79163000001', to: 'TEA', payload: { text: 'Hi' } } as const;
    const codes: unknown[] = [];
    for (let n = 0; n < 9; n++)
      codes.push(await outcome(who.api(sendingsIncoming.create, { body })));
    expect(codes.slice(-2)).toEqual(['rate_limited', 'rate_limited']);
    expect(await rowsOf('sendings_incoming')).toBe(7);
  });

  test('leaves a limited number of visits', async () => {
    stopTime();
    const before = await rowsOf('visits');
    const codes: unknown[] = [];
    const body = { data: { url: '/messages' } };
    for (let n = 0; n < 3; n++) codes.push(await outcome(who.api(telemetry.create, { body })));
    expect(codes).toEqual([200, 'rate_limited', 'rate_limited']);
    expect(await rowsOf('visits')).toBe(before + 1);
  });
});

describe('an account with a little money', () => {
  let world: World;
  let base: string;
  beforeAll(async () => {
    world = await World.start();
    // A ten thousandth of the limits: three cancelled messages and three bulks that wait in an hour, and one change in a session.
    base = (await world.startApi({ RATE_SCALE: 0.0001, RATE_MESSAGES: 1_000_000 })).base;
  });
  afterAll(() => world.stop());

  const MESSAGE = { type: 'viber', payload: { sender: 'TEA', text: 'Tea' } } as const;
  const TWO = ['+79163000000', '+79163000001'];
  const refused = { body: { code: 'rate_limited' } };
  const tomorrow = () => new Date(world.clock.now().getTime() + 86_400_000).toISOString();
  const idOf = async (call: Promise<unknown>) => ((await call) as { id: string }).id;
  const newcomer = async () => {
    const { id, token } = await world.person({ balance: 10_000 });
    stopTime();
    return { id, api: world.client(token, base) };
  };

  test('buys a limited number of messages that it cancels one after the other', async () => {
    const { api } = await newcomer();
    const body = { ...MESSAGE, recipient: TWO[0]!, sendAt: tomorrow() };
    const send = () => idOf(api(sendings.create, { body }));
    for (let n = 0; n < 3; n++) await api(sendings.cancel, { params: { id: await send() } });
    const cancelled = api(sendings.cancel, { params: { id: await send() } });
    await expect(cancelled).rejects.toMatchObject(refused);
  });

  test.each([
    ['wait', () => ({ delay: tomorrow() })],
    ['are stretched', () => ({ until: 12 })],
  ])('adds a limited number of bulks that %s', async (_, schedule) => {
    const { api } = await newcomer();
    const add = (recipient: string[]) =>
      api(sendings.create, { body: { ...MESSAGE, recipient, schedule: schedule() } });
    // Counts twice.
    await add(Array.from({ length: 500 }, (__, n) => `+7916300${String(n).padStart(4, '0')}`));
    await add(TWO);
    await expect(add(TWO)).rejects.toMatchObject(refused);
    await api(sendings.create, { body: { ...MESSAGE, recipient: TWO } });
  });

  test('pauses and resumes a bulk a limited number of times', async () => {
    const { api } = await newcomer();
    const body = { ...MESSAGE, recipient: TWO, schedule: { delay: tomorrow() } };
    const params = { id: await idOf(api(sendings.create, { body })) };
    await api(tasks.update, { params, body: { state: 'paused' } });
    const resumed = api(tasks.update, { params, body: { state: 'scheduled' } });
    await expect(resumed).rejects.toMatchObject(refused);
  });

  test('changes a webhook of its settings a limited number of times', async () => {
    const { api, id } = await newcomer();
    const params = { accountId: id, key: 'webhooks.onStatusChange' } as const;
    const put = (value: { url: string } | null) =>
      api(settingsUser.update, { params, body: { value } });
    await put({ url: 'http://127.0.0.1:9/' });
    await expect(put(null)).rejects.toMatchObject(refused);
  });
});
