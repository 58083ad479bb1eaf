import { contract, type Call, type Endpoint } from '@heliograph/contract';
import type { INestApplication } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../src/app.ts';
import { createDataSource } from '../src/core/db/data-source.ts';
import { Db } from '../src/core/db/db.ts';
import { createLog } from '../src/core/log.ts';
import { ENTITIES } from '../src/features.ts';
import { sampleOf } from './samples.ts';
import { scene, type Scene } from './scene.ts';
import { World } from './world.ts';

/** GET requests change nothing unless the contract declares `mutates`. */

const GETS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).flatMap(([verb, def]) =>
    def.method === 'GET' ? [{ name: `${noun}.${verb}`, noun, verb, def }] : [],
  ),
);

let world: World;
let own: Scene;
/** An API with a read-only database connection. */
let api: INestApplication;
let readOnly: string;

beforeAll(async () => {
  // The first process that needs a generated secret would write it.
  world = await World.start({ JWT_SECRET: 'x'.repeat(40), DEMO: '1' });
  own = await scene(world);
  const { config } = world;
  const settings = { default_transaction_read_only: 'on' };
  const dataSource = createDataSource(config.directUrl, ENTITIES, 5, settings);
  const parts = {
    config,
    log: createLog('silent', 'test'),
    dataSource: await dataSource.initialize(),
  };
  api = await createApi(parts);
  await api.listen(0, '127.0.0.1');
  readOnly = await api.getUrl();
});
afterAll(async () => {
  const { dataSource } = api.get(Db);
  await api.close();
  await dataSource.destroy();
  await world.stop();
});

/** Remembers what its client has seen. */
const REMEMBERS = 'otpHandler.pollChannel';

test.each(GETS.filter(({ name, def }) => !def.mutates && name !== REMEMBERS))(
  '$name is answered without a write',
  async ({ noun, verb, def }) => {
    const { call, by = own.owner } = await sampleOf(noun, verb, own);
    const answer = await world.client(by.token, readOnly)(def, call as Call<Endpoint>);
    expect(answer).toBeTypeOf('object');
  },
);

test.each(GETS.filter(({ def }) => def.mutates))(
  '$name says that it changes something',
  async ({ noun, verb, def }) => {
    const { call, by = own.owner } = await sampleOf(noun, verb, own);
    const attempt = world.client(by.token, readOnly)(def, call as Call<Endpoint>);
    await expect(attempt).rejects.toMatchObject({ status: 503 });
    const twins = Object.values(contract).flatMap((all) => Object.values(all) as Endpoint[]);
    expect(twins.filter((t) => t.method === 'POST' && t.path === def.path)).toHaveLength(1);
  },
);

test('a token in an address opens downloads, which change nothing', () => {
  const downloads = Object.values(contract)
    .flatMap((all) => Object.values(all) as Endpoint[])
    .filter((def) => def.download);
  expect(downloads.length).toBeGreaterThan(0);
  for (const def of downloads) expect([def.method, def.mutates]).toEqual(['GET', undefined]);
});

test('a GET that changes data is refused for links and other sites', async () => {
  const { owner, reseller } = own;
  const path = `/api/login/as/${owner.id}`;
  const authorization = reseller.token;
  expect(await statusOf(`${path}?token=${authorization}`)).toBe(401);
  expect(await statusOf(path, { authorization })).toBe(200);
  expect(await statusOf(path, { authorization, 'sec-fetch-mode': 'navigate' })).toBe(403);
  expect(await statusOf(path, { authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
});

/** `fetch` adds some headers. */
function statusOf(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(world.base + path, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

interface Listed {
  data: { id: string; createdAt: string }[];
}
const TIMES = { $gt: new Date(0).toISOString(), $lt: new Date().toISOString() };
const BY_TIME = GETS.filter(
  ({ verb, def }) => verb === 'find' && def.query?.safeParse({ createdAt: TIMES }).success,
);
test('most lists have a range of times', () => expect(BY_TIME.length).toBeGreaterThan(20));

test.each(BY_TIME)(
  '$name: a row is neither before nor after the time that it shows',
  async ({ noun, verb, def }) => {
    const { call, by = own.owner } = await sampleOf(noun, verb, own);
    const ids = async (createdAt: object) => {
      const query = { ...(call.query as object), createdAt };
      const { data } = (await by.api(def, { ...call, query } as never)) as Listed;
      return data.map(({ id }) => id);
    };
    const { data } = (await by.api(def, call as Call<Endpoint>)) as Listed;
    const { id, createdAt } = data[0]!;
    const at = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString();
    expect(await ids({ $gt: at(0) })).not.toContain(id);
    expect(await ids({ $lt: at(0) })).not.toContain(id);
    expect(await ids({ $gt: at(-1), $lt: at(1) })).toContain(id);
  },
);

const HALF = '01930000-0000';
const WITH_ID = GETS.filter(
  ({ def }) => !def.mutates && def.query?.safeParse({ id: randomUUID() }).success,
);
test('the ledger and most other lists are filtered by ids', () => {
  expect(WITH_ID.map(({ name }) => name)).toContain('billings.find');
  expect(WITH_ID.length).toBeGreaterThan(10);
});

test.each(WITH_ID)(
  '$name: an id that is still being typed is refused by name as a filter, and found nowhere as a search',
  async ({ noun, verb, def }) => {
    const { call, by = own.owner } = await sampleOf(noun, verb, own);
    const list = (more: object) => {
      const query = { ...(call.query as object), ...more };
      return by.api(def, { ...call, query } as never) as Promise<{ data: unknown[] }>;
    };
    for (const id of [HALF, [HALF], [randomUUID(), HALF]])
      await expect(list({ filter: { id } })).rejects.toMatchObject({
        status: 422,
        body: { data: [{ field: expect.stringMatching(/^id\b/) }] },
      });
    const isSearched = def.query!.safeParse({ $search: HALF }).success;
    expect(isSearched ? (await list({ search: HALF })).data : []).toEqual([]);
  },
);
