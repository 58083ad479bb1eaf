import { contactLists } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let customer: Person;
let reseller: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  customer = await world.person({ resellerId: reseller.id });
});
afterAll(() => world.stop());

const create = (title: string, more: object = {}) =>
  customer.api(contactLists.create, { body: { title, type: 'regular', ...more } });

test('a list is created, found, edited and removed by its owner', async () => {
  const created = await create('Newsletter');
  expect(created).toMatchObject({
    title: 'Newsletter',
    type: 'regular',
    isActive: true,
    count: 0,
    OwnerId: customer.id,
  });
  const params = { id: created.id };
  const page = await customer.api(contactLists.find, { query: { search: 'NEWS' } });
  expect(page).toMatchObject({ total: 1, data: [{ id: created.id }] });
  const edited = await customer.api(contactLists.update, {
    params,
    body: { title: 'News', isActive: false },
  });
  expect(edited).toMatchObject({ title: 'News', isActive: false, type: 'regular', count: 0 });
  await customer.api(contactLists.remove, { params });
  await expect(customer.api(contactLists.get, { params })).rejects.toMatchObject({ status: 404 });
});

test('blacklists are marked, and a reseller sees the lists of its customers', async () => {
  const { id } = await create('Never again', { type: 'blacklist' });
  const query = { filter: { type: ['blacklist' as const], OwnerId: customer.id } };
  expect((await reseller.api(contactLists.find, { query })).data.map((l) => l.id)).toEqual([id]);
});

test('lists are filtered by ids within the access scope', async () => {
  const [one, two] = [await create('One'), await create('Two')];
  const query = { filter: { id: [one.id, two.id] } };
  const titles = (page: { data: { title: string }[] }) => page.data.map((l) => l.title).sort();
  expect(titles(await customer.api(contactLists.find, { query }))).toEqual(['One', 'Two']);
  const stranger = await world.person();
  expect((await stranger.api(contactLists.find, { query })).total).toBe(0);
});

test.each([
  [{ title: '', type: 'regular' }, 'title'],
  [{ title: 'x'.repeat(51), type: 'regular' }, 'title'],
  [{ title: 'x' }, 'type'],
  [{ title: 'x', type: 'grey' }, 'type'],
])('%j is refused on %s', async (body, field) => {
  await expect(customer.api(contactLists.create, { body: body as never })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field })] },
  });
});

test.each(['include', 'exclude'])('a list that an open task will %s stays', async (how) => {
  const { id } = await create(`Read by a task to ${how}`);
  const audience = how === 'include' ? [{ list: id }] : [{ phones: true }];
  const lists = { include: { lists: [] }, exclude: { lists: how === 'exclude' ? [id] : [] } };
  const [task] = await world.db.query<{ id: string }>(
    `insert into tasks (owner_id, user_id, title, data, audience) values ($1, $1, 'Sale', $2, $3) returning id`,
    [customer.id, { recipients: lists }, JSON.stringify(audience)],
  );
  const remove = () => customer.api(contactLists.remove, { params: { id } });
  await expect(remove()).rejects.toMatchObject({
    status: 409,
    body: { code: 'in_use', payload: { tasks: [{ id: task!.id, title: 'Sale' }] } },
  });
  await world.db.query(`update tasks set state = 'completed' where id = $1`, [task!.id]);
  expect(await remove()).toEqual({ id });
});

test('a concurrent rename and deactivation of a list are both applied', async () => {
  const ids = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => (await create(`Both ${n}`)).id),
  );
  const change = (id: string, body: object) =>
    customer.api(contactLists.update, { params: { id }, body });
  await Promise.all(
    ids.flatMap((id) => [change(id, { title: 'Tea' }), change(id, { isActive: false })]),
  );
  const found = await Promise.all(
    ids.map((id) => customer.api(contactLists.get, { params: { id } })),
  );
  expect(found.map(({ title, isActive }) => [title, isActive])).toEqual(
    ids.map(() => ['Tea', false]),
  );
});
