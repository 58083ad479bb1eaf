import {
  can,
  contract,
  contacts,
  permissionsOf,
  sendings,
  templates,
  type ApiError,
  type Call,
  type Endpoint,
  type Level,
  type Permission,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLES, type Sample } from './samples.ts';
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
let mine: Scene;

beforeAll(async () => {
  world = await World.start();
  mine = await scene(world);
});
afterAll(() => world.stop());

/** Another customer, another reseller, a manager who manages somebody else, and a fellow customer of the same reseller. */
async function strangers(kept: Scene): Promise<Stranger[]> {
  const person = async (level: Level, keeper = {}): Promise<Stranger> => ({
    ...(await world.person({ level, ...keeper })),
    level,
  });
  return Promise.all([
    person('me'),
    person('reseller'),
    person('manager'),
    person('me', { resellerId: kept.reseller.id }),
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
function attempt(who: Person, def: Endpoint, call: Call<Endpoint>): Promise<unknown> {
  return who.api(def, call).catch((error: ApiError) => error.code ?? Promise.reject(error));
}

function holds({ level }: Stranger, { can: needed, accept }: Endpoint): boolean {
  const open = ['public', 'session', 'carrier'].includes(needed);
  return open || can(permissionsOf(level), needed as Permission, accept);
}

describe.each(ENDPOINTS)('$name', ({ noun, verb, def }) => {
  const sampler = (SAMPLES as Record<string, Record<string, (s: Scene) => Promise<Sample>>>)[
    noun
  ]?.[verb];

  test('nobody else gets anything of the row, and the row stays; then its own account does', async () => {
    if (!sampler) throw new Error(`test/samples.ts has no sample of ${noun}.${verb}`);
    const own = await scene(world);
    const { call, row, others, by = own.owner } = await sampler(own);
    const before = await rowOf(row);
    expect(before).toBeDefined();
    // What belongs to no account is for every manager.
    const tried = (await strangers(own)).filter(
      (s) => row[0] !== 'channels' || s.level !== 'manager',
    );
    for (const stranger of others === 'anything' ? [] : tried) {
      const answer = await attempt(stranger, def, call);
      const refusal = holds(stranger, def) ? 'not_found' : 'forbidden';
      if (others === 'nothing') expect(answer).toBe(refusal);
      else expect(answer).toBeTypeOf('object');
      expect(JSON.stringify(answer)).not.toContain(row[1]);
      expect(await rowOf(row)).toEqual(before);
    }
    const answer = await by.api(def, call);
    if (verb === 'find') expect(JSON.stringify(answer)).toContain(row[1]);
  });

  if (def.can !== 'public' && def.can !== 'carrier')
    test('without a session there is nothing', async () => {
      const { call, row } = await sampler!(await scene(world));
      const before = await rowOf(row);
      await expect(world.client()(def, call)).rejects.toMatchObject({ status: 401 });
      expect(await rowOf(row)).toEqual(before);
    });

  if (def.can === 'carrier')
    test('a session is no signature', async () => {
      const { call, row } = await sampler!(mine);
      const before = await rowOf(row);
      const unsigned = { ...call, headers: {} };
      expect(await attempt(mine.owner, def, unsigned)).toBe('unauthorized');
      expect(await rowOf(row)).toEqual(before);
    });
});

test.each(LISTS)(
  '$name: an OwnerId of somebody else is not found, a keeper’s is its own only',
  async ({ noun, verb, def }) => {
    const other = await scene(world);
    const { row } = await SAMPLES[noun as 'users'][verb as 'find'](other);
    const query = { filter: { OwnerId: other.owner.id } } as never;
    for (const stranger of await strangers(other))
      expect(await attempt(stranger, def, { query })).toBe('not_found');
    const kept = (await other.reseller.api(def, { query })) as { data: { OwnerId?: string }[] };
    expect(JSON.stringify(kept)).toContain(row[1]);
    for (const item of kept.data) expect(item.OwnerId ?? other.owner.id).toBe(other.owner.id);
    // A reseller is kept by nobody that it keeps.
    const upward = { filter: { OwnerId: other.reseller.id } } as never;
    expect(await attempt(other.owner, def, { query: upward })).toBe('not_found');
  },
);

describe('ids of somebody else', () => {
  let stranger: Scene;
  beforeAll(async () => {
    stranger = await scene(world);
  });
  const refused = async (def: Endpoint, call: unknown) =>
    expect(await attempt(stranger.owner, def, call as Call<Endpoint>)).toBe('not_found');
  const empty = async (def: Endpoint, filter: object) => {
    const answer = await attempt(stranger.owner, def, { query: { filter } as never });
    if (answer !== 'not_found') expect(answer).toMatchObject({ data: [], total: 0 });
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

  test('are no recipients: included, excluded, in an estimate, in a template that is applied', async () => {
    const [foreign, own] = [await mine.list(), await stranger.list()];
    await stranger.contact(own);
    const asked = { ...MESSAGE, recipient: { include: [own, foreign], exclude: [] } };
    await refused(sendings.create, { body: asked });
    await refused(sendings.create, { body: { ...asked, recipient: [foreign] } });
    await refused(sendings.create, {
      body: { ...asked, recipient: { include: [own], exclude: [foreign] } },
    });
    await refused(sendings.estimate, { body: asked });
    const { api } = stranger.owner;
    const template = await api(templates.create, { body: { title: 'Sale', ...asked } }).catch(
      () => null,
    );
    if (template) {
      const draft = await api(templates.apply, { params: { id: template.id } });
      await refused(sendings.create, { body: draft });
    }
    expect(await rowOf(['balances', stranger.owner.id, 'owner_id'])).toMatchObject({
      row: { balance: 1000 },
    });
  });

  test.each(['image', 'file', 'video', 'audio'])('are no %s of a message', async (part) => {
    const payload = { ...MESSAGE.payload, [part]: await mine.file() };
    await refused(sendings.create, { body: { ...MESSAGE, payload, recipient: [PHONE] } });
    const receipt = await attempt(stranger.owner, sendings.create, {
      body: { ...MESSAGE, payload, recipient: PHONE },
    } as never).catch(() => 'not_found');
    if (receipt !== 'not_found') expect(receipt).toMatchObject({ status: 'failed' });
  });

  test('are no file to import from, and no list to import into', async () => {
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

  test('are no owner to write for', async () => {
    const OwnerId = mine.owner.id;
    const message = { ...MESSAGE, recipient: PHONE, OwnerId };
    for (const who of await strangers(mine)) {
      expect(await attempt(who, sendings.create, { body: message } as never)).toBe('not_found');
      expect(await attempt(who, sendings.estimate, { body: message } as never)).toBe('not_found');
    }
  });
});
