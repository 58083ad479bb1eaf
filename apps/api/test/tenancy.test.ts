import {
  can,
  contract,
  contacts,
  permissionsOf,
  sendings,
  templates,
  type ApiError,
  type Call,
  type Client,
  type Endpoint,
  type Level,
  type Permission,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPlaces } from './load-places.ts';
import { sampleOf, type Sample } from './samples.ts';
import { MESSAGE, PHONE, scene, type Scene } from './scene.ts';
import { type Person, World } from './world.ts';

/** No account reaches another's rows: tried on every endpoint of the contract. */

interface Stranger extends Person {
  level: Level;
}
const ENDPOINTS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, def]) => ({
    name: `${noun}.${verb}`,
    noun,
    verb,
    def,
  })),
);
const LISTS = ENDPOINTS.filter(({ verb, def }) => verb === 'find' && def.owner === 'read');

let world: World;
let reseller: Person;
let mine: Scene;
let strangers: Stranger[];

beforeAll(async () => {
  world = await World.start({ DEMO: '1' });
  await loadPlaces(world);
  reseller = await world.person({ level: 'reseller' });
  mine = await scene(world, reseller);
  strangers = await newStrangers();
});
afterAll(() => world.stop());

/** Another customer, another reseller, a manager of another account, another customer of the same reseller. */
async function newStrangers(): Promise<Stranger[]> {
  const person = async (level: Level, accountManagers = {}): Promise<Stranger> => ({
    ...(await world.person({ level, ...accountManagers })),
    level,
  });
  return Promise.all([
    person('me'),
    person('reseller'),
    person('manager'),
    person('me', { resellerId: reseller.id }),
  ]);
}

async function rowOf([table, key, column = 'id']: Sample['row']): Promise<unknown> {
  const [row] = await world.db.query(
    `select to_jsonb(t) as row from ${table} t where ${column}::text = $1`,
    [key],
  );
  return row;
}

/** The answer, or the code of the refusal. */
function attempt(who: Client, def: Endpoint, call: Call<Endpoint>): Promise<unknown> {
  return who(def, call).catch((error: ApiError) => error.code ?? Promise.reject(error));
}

function holds({ level }: Stranger, { can: needed, accept }: Endpoint): boolean {
  const open = ['public', 'session', 'carrier'].includes(needed);
  return open || can(permissionsOf(level), needed as Permission, accept);
}

test.each(ENDPOINTS)(
  '$name: no other account reads or changes the row; its own account does',
  async ({ noun, verb, def }) => {
    const isRead = def.method === 'GET' && !def.mutates;
    const own = isRead ? mine : await scene(world, reseller);
    const { call, row, others, by = own.owner } = await sampleOf(noun, verb, own);
    const before = await rowOf(row);
    expect(before).toBeDefined();
    const isUnauthorized = async (who: Client, given = call) =>
      expect(await attempt(who, def, given)).toBe('unauthorized');
    if (def.can === 'carrier') await isUnauthorized(by.api, { ...call, headers: {} });
    else if (def.can !== 'public') await isUnauthorized(world.client());
    // The calls of auth end the session of the caller.
    const tried = others === 'anything' ? [] : noun === 'auth' ? await newStrangers() : strangers;
    const attempts = tried.map(async (stranger) => {
      const answer = await attempt(stranger.api, def, call);
      const refusal = holds(stranger, def) ? 'not_found' : 'forbidden';
      const harmless = verb === 'find' ? ['answered', 'not_found'] : ['answered'];
      const outcome = typeof answer === 'string' ? answer : 'answered';
      expect(others === 'nothing' ? [refusal] : harmless).toContain(outcome);
      expect(JSON.stringify(answer)).not.toContain(row[1]);
    });
    await Promise.all(attempts);
    expect(await rowOf(row)).toEqual(before);
    const answer = await by.api(def, call);
    expect(JSON.stringify(verb === 'find' ? answer : row)).toContain(row[1]);
  },
);

test.each(LISTS)(
  '$name: the OwnerId of another account is not found; an account manager may use those of its accounts',
  async ({ noun, verb, def }) => {
    const other = await scene(world, reseller);
    const { row } = await sampleOf(noun, verb, other);
    const query = { filter: { OwnerId: other.owner.id } } as never;
    for (const stranger of strangers)
      expect(await attempt(stranger.api, def, { query })).toBe('not_found');
    const kept = (await reseller.api(def, { query })) as { data: { OwnerId?: string }[] };
    expect(JSON.stringify(kept)).toContain(row[1]);
    for (const item of kept.data) expect(item.OwnerId ?? other.owner.id).toBe(other.owner.id);
    // A reseller has no reseller among its own customers.
    const upward = { filter: { OwnerId: reseller.id } } as never;
    expect(await attempt(other.owner.api, def, { query: upward })).toBe('not_found');
  },
);

const UPDATES = ENDPOINTS.filter(
  ({ noun, verb, def }) =>
    verb === 'update' &&
    /\/:(id|channel)$/.test(def.path) &&
    'get' in contract[noun as keyof typeof contract],
);
test.each(UPDATES)('$noun: a row can be put back as it was read', async ({ noun, verb, def }) => {
  const own = await scene(world, reseller);
  const { call, row, by = own.owner } = await sampleOf(noun, verb, own);
  const { get } = contract[noun as keyof typeof contract] as unknown as { get: Endpoint };
  const { params } = call;
  const read = await by.api(get, { params, query: get.query && { return: 'meta' } } as never);
  const changed = await by.api(def, { params, body: read } as never);
  expect(JSON.stringify(changed)).toContain(row[1]);
});

// What customers may not call is forbidden to them, whose account ever it is.
const SETTINGS = ENDPOINTS.filter(
  ({ verb, def }) => verb !== 'find' && def.owner === 'read' && def.accept === undefined,
);
test.each(SETTINGS)('$name: the OwnerId of another account is not found', async (one) => {
  const { noun, verb, def } = one;
  const { call } = await sampleOf(noun, verb, mine);
  const query = { ...(call.query as object | undefined), OwnerId: mine.owner.id } as never;
  for (const stranger of strangers)
    expect(await attempt(stranger.api, def, { query })).toBe('not_found');
  expect(await attempt(reseller.api, def, { query })).toBeTypeOf('object');
});

describe('ids of another account', () => {
  let stranger: Scene;
  beforeAll(async () => {
    stranger = await scene(world);
  });
  const refused = async (def: Endpoint, call: unknown) =>
    expect(await attempt(stranger.owner.api, def, call as Call<Endpoint>)).toBe('not_found');
  const empty = async (def: Endpoint, filter: object) => {
    const answer = await attempt(stranger.owner.api, def, { query: { filter } as never });
    const nothing = { data: [], total: 0 };
    expect(answer === 'not_found' ? nothing : answer).toMatchObject(nothing);
  };

  test('find nothing in filters', async () => {
    const task = await mine.task();
    const ListId = await mine.list();
    await mine.contact(ListId);
    const sending = await mine.sending();
    await empty(contract.contacts.find, { ListId });
    await empty(contract.sendings.find, { groupId: task.groupId });
    await empty(contract.sendings.find, { chainId: sending });
    await empty(contract.sendings.find, { id: [sending] });
    await empty(contract.sendings.find, { cursor: sending });
    await empty(contract.sendings.find, { recipient: PHONE });
    await empty(contract.tasks.find, { id: [task.id] });
    await empty(contract.storage.find, { id: [await mine.file()] });
    await empty(contract.billings.find, { id: [sending] });
    await empty(contract.users.find, { ManagerId: mine.owner.id });
  });

  test('are refused as recipients: included, excluded, in an estimate, in a template', async () => {
    const [foreign, own] = [await mine.list(), await stranger.list()];
    await stranger.contact(own);
    const asked = { ...MESSAGE, recipient: { include: [own, foreign], exclude: [] } };
    await refused(sendings.create, { body: asked });
    await refused(sendings.create, { body: { ...asked, recipient: [foreign] } });
    await refused(sendings.create, {
      body: { ...asked, recipient: { include: [own], exclude: [foreign] } },
    });
    await refused(sendings.estimate, { body: asked });
    await refused(templates.create, { body: { title: 'Sale', ...asked } });
    expect(await rowOf(['balances', stranger.owner.id, 'owner_id'])).toMatchObject({
      row: { balance: 1000 },
    });
  });

  test.each([
    ['image', 'viber'],
    ['file', 'whatsapp'],
    ['video', 'viber'],
    ['audio', 'voice'],
  ] as const)('are no %s of a message', async (part, type) => {
    const payload = { ...MESSAGE.payload, [part]: await mine.file() };
    await refused(sendings.create, { body: { ...MESSAGE, type, payload, recipient: [PHONE] } });
    const receipt = await attempt(stranger.owner.api, sendings.create, {
      body: { ...MESSAGE, type, payload, recipient: PHONE },
    } as never).catch(() => 'not_found');
    const failed = { status: 'failed' };
    expect(receipt === 'not_found' ? failed : receipt).toMatchObject(failed);
  });

  test('are refused as the file and the list of an import', async () => {
    const [file, list] = [await mine.file(), await mine.list()];
    const before = await rowOf(['contact_lists', list]);
    await refused(contacts.import, {
      body: { ListId: await stranger.list(), from: { key: file } },
    });
    await refused(contacts.import, {
      body: { ListId: list, from: { key: await stranger.file() } },
    });
    expect(await rowOf(['contact_lists', list])).toEqual(before);
  });

  test('are refused as the owner of a sending', async () => {
    const OwnerId = mine.owner.id;
    const message = { ...MESSAGE, recipient: PHONE, OwnerId };
    for (const who of strangers) {
      expect(await attempt(who.api, sendings.create, { body: message } as never)).toBe('not_found');
      expect(await attempt(who.api, sendings.estimate, { body: message } as never)).toBe(
        'not_found',
      );
    }
  });
});
