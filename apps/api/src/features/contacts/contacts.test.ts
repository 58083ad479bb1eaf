import {
  contactLists,
  contacts,
  type Change,
  type Contact,
  type EventBody,
} from '@heliograph/contract';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let reseller: Person;
let customer: Person;
let stranger: Person;
let ListId: string;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  customer = await world.person({ resellerId: reseller.id });
  stranger = await world.person();
});
afterAll(() => world.stop());
beforeEach(async () => {
  ({ id: ListId } = await customer.api(contactLists.create, {
    body: { title: 'Friends', type: 'regular' },
  }));
});

const add = (fields: object, who = customer) =>
  who.api(contacts.create, { body: { ListId, ...fields } as never });
const count = async () => (await customer.api(contactLists.get, { params: { id: ListId } })).count;

test.each(['1990-01-31', '31.01.1990', '01/31/1990', ' 31.1.1990 '])(
  'a birthday may be written as %j, when a contact is made and when it is changed',
  async (date) => {
    const { id, ...made } = await add({ phone: '+79161234567', date });
    expect(made.date).toBe('1990-01-31');
    const body = { date: date.replace('31', '30') };
    expect(await customer.api(contacts.update, { params: { id }, body })).toMatchObject({
      date: '1990-01-30',
    });
  },
);

test.each(['31.02.1990', '31/01/1990', '1990', ' ', 'tomorrow'])(
  '%j is no birthday',
  async (date) => {
    await expect(add({ phone: '+79161234567', date })).rejects.toMatchObject({
      status: 422,
      code: 'validation',
    });
  },
);

test('a contact is created, edited and removed, and its list keeps count', async () => {
  const created = await add({
    phone: '8 (916) 123-45-67',
    email: 'Anna@Example.ORG',
    firstName: 'Анна',
    gender: 'female',
    date: '1990-02-28',
    custom01: 'gold',
    custom20: 'x',
  });
  expect(created).toMatchObject({
    phone: '+79161234567',
    email: 'anna@example.org',
    date: '1990-02-28',
    custom01: 'gold',
    custom02: null,
    custom20: 'x',
  });
  expect(await count()).toBe(1);
  const params = { id: created.id };
  const edited = await customer.api(contacts.update, {
    params,
    body: { email: null, firstName: '', custom01: null, custom03: 'y' } as never,
  });
  expect(edited).toMatchObject({
    phone: '+79161234567',
    email: null,
    firstName: null,
    gender: 'female',
    custom01: null,
    custom03: 'y',
    custom20: 'x',
  });
  expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt));
  await customer.api(contacts.remove, { params });
  expect(await count()).toBe(0);
  await expect(customer.api(contacts.remove, { params })).rejects.toMatchObject({ status: 404 });
  expect(await count()).toBe(0);
});

test('fields that a form sends emptied are null', async () => {
  const emptied = { gender: '', date: '', email: '' };
  const none = { gender: null, date: null, email: null };
  const phone = '+79161234599';
  const { id, ...made } = await add({ phone, ...emptied });
  expect(made).toMatchObject({ phone, ...none });
  const params = { id };
  const filled = { gender: 'male', date: '1990-02-28', email: 'anna@example.org' } as const;
  await customer.api(contacts.update, { params, body: filled });
  const body = emptied as never;
  expect(await customer.api(contacts.update, { params, body })).toMatchObject({ phone, ...none });
  const swapped = { ...emptied, phone: '', email: 'anna@example.org' } as never;
  expect(await customer.api(contacts.update, { params, body: swapped })).toMatchObject({
    phone: null,
    email: 'anna@example.org',
  });
  await expect(customer.api(contacts.update, { params, body })).rejects.toMatchObject({
    status: 422,
  });
  await customer.api(contacts.remove, { params });
});

test.each([
  [{ firstName: 'Nobody' }, 'phone'],
  [{ phone: '12345' }, 'phone'],
  [{ phone: '+7 916 123-45-6x' }, 'phone'],
  [{ email: 'no address' }, 'email'],
  [{ phone: '+79161234567', date: '31.02.1990' }, 'date'],
  [{ phone: '+79161234567', custom07: 'x'.repeat(501) }, 'custom07'],
])('%j is refused on %s', async (fields, field) => {
  await expect(add(fields)).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field })] },
  });
  expect(await count()).toBe(0);
});

test('a phone is once in a list, an e-mail once among those without a phone', async () => {
  const first = await add({ phone: '+79161234567', email: 'a@b.org' });
  await expect(add({ phone: '89161234567' })).rejects.toMatchObject({
    status: 422,
    body: { data: [{ field: 'phone', type: 'unique' }] },
  });
  const second = await add({ email: 'a@b.org' });
  await expect(add({ email: 'A@B.org' })).rejects.toMatchObject({
    body: { data: [{ field: 'email', type: 'unique' }] },
  });
  const update = (id: string, body: object) =>
    customer.api(contacts.update, { params: { id }, body });
  await expect(update(second.id, { phone: '+7 916 123 45 67' })).rejects.toMatchObject({
    body: { data: [{ field: 'phone', type: 'unique' }] },
  });
  await expect(update(second.id, { email: null })).rejects.toMatchObject({ status: 422 });
  // Itself is no twin of itself.
  expect(await update(first.id, { phone: '+79161234567' })).toMatchObject({ id: first.id });
  expect(await count()).toBe(2);
});

test('twenty at once are counted each, and one of twenty equal ones is taken', async () => {
  const phones = Array.from({ length: 20 }, (_, i) => `+791612300${10 + i}`);
  await Promise.all(phones.map((phone) => add({ phone })));
  const equal = await Promise.allSettled(phones.map(() => add({ phone: '+79160000000' })));
  expect(equal.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  expect(await count()).toBe(21);
});

test('many contacts are removed in one call and counted; another account removes none', async () => {
  const ids: string[] = [];
  for (const phone of ['+79161234561', '+79161234562', '+79161234563'])
    ids.push((await add({ phone })).id);
  const remove = (who: Person, some: string[]) =>
    who.api(contacts.removeMany, { body: { ids: some } });
  expect(await remove(stranger, ids)).toEqual({ removed: 0, next: null });
  expect(await count()).toBe(3);
  expect(await remove(reseller, [ids[0]!, ids[1]!, ListId])).toEqual({ removed: 2, next: null });
  expect(await remove(customer, ids)).toEqual({ removed: 1, next: null });
  expect(await count()).toBe(0);
});

test('contacts are found by digits of the phone, e-mail and words of the name', async () => {
  await add({ phone: '+79161234567', firstName: 'Анна', lastName: 'Иванова' });
  await add({ phone: '+79057654321', email: 'peter_77@example.org', lastName: 'Ивановский' });
  const found = async (search: string) => {
    const query = { search, filter: { ListId } };
    const { data, total } = await customer.api(contacts.find, { query });
    expect(total).toBe(data.length);
    return data.map((c) => c.lastName).sort();
  };
  expect(await found('8 (916) 123-45-67')).toEqual(['Иванова']);
  expect(await found('8 (916) 12')).toEqual(['Иванова']);
  expect(await found('+8916')).toEqual([]);
  expect(await found('1234')).toEqual(['Иванова']);
  expect(await found('77')).toEqual(['Ивановский']);
  expect(await found('PETER_')).toEqual(['Ивановский']);
  expect(await found('иванов')).toEqual(['Иванова', 'Ивановский']);
  expect(await found('анна иван')).toEqual(['Иванова']);
  for (const special of ['%', '.*', '(', '***=x', '[И', 'Иванов\\w'])
    expect(await found(special)).toEqual([]);
});

test('the list of contacts is ordered and filtered', async () => {
  const phones = ['+79161111111', '+79163333333', '+79162222222'];
  const names = ['Яшина', 'Абрамов', null];
  for (const [i, phone] of phones.entries()) await add({ phone, lastName: names[i] });
  const find = async (query: object) =>
    (await customer.api(contacts.find, { query: { filter: { ListId }, ...query } })).data.map(
      (c) => c.phone,
    );
  expect(await find({})).toEqual([...phones].reverse());
  expect(await find({ order: [{ field: 'phone', direction: 'asc' }], limit: 2 })).toEqual([
    phones[0],
    phones[2],
  ]);
  expect(await find({ filter: { ListId, phone: '8 916 333 33 33' } })).toEqual([phones[1]]);
  const byName = (direction: 'asc' | 'desc') => find({ order: [{ field: 'lastName', direction }] });
  expect(await byName('asc')).toEqual([phones[1], phones[0], phones[2]]);
  expect(await byName('desc')).toEqual([phones[2], phones[0], phones[1]]);
  const { data } = await customer.api(contacts.find, { query: { filter: { ListId } } });
  const [newest] = data;
  await customer.api(contacts.update, { params: { id: data[2]!.id }, body: { custom01: 'x' } });
  expect(await find({ order: [{ field: 'updatedAt', direction: 'desc' }], limit: 2 })).toEqual([
    phones[0],
    newest!.phone,
  ]);
  const filter = { ListId, cursor: data[1]!.id };
  expect(await find({ filter })).toEqual([phones[0]]);
  expect(await find({ filter, order: [{ field: 'createdAt', direction: 'asc' }] })).toEqual([
    phones[2],
  ]);
  await expect(
    find({ filter, order: [{ field: 'phone', direction: 'asc' }] }),
  ).rejects.toMatchObject({ status: 422 });
});

test('contacts have the access scope of their list', async () => {
  const { id } = await add({ phone: '+79161234567' }, reseller);
  const query = { filter: { ListId } };
  expect((await reseller.api(contacts.find, { query })).total).toBe(1);
  const byOwner = { filter: { OwnerId: customer.id, phone: '+79161234567' } };
  expect((await reseller.api(contacts.find, { query: byOwner })).data[0]).toMatchObject({ ListId });
  const refused = [
    stranger.api(contacts.find, { query }),
    stranger.api(contacts.get, { params: { id } }),
    stranger.api(contacts.update, { params: { id }, body: { firstName: 'X' } }),
    stranger.api(contacts.remove, { params: { id } }),
    add({ phone: '+79161234568' }, stranger),
  ];
  for (const call of await Promise.allSettled(refused))
    expect(call).toMatchObject({ status: 'rejected', reason: { status: 404 } });
  expect((await stranger.api(contacts.find)).total).toBe(0);
});

const hear = (change: Change, who = customer) =>
  listen<EventBody<'contacts'>>(world, who, `contacts.${change}`);

test('sockets of the owner and its managers receive every change, others none', async () => {
  const created = await hear('created');
  const kept = await hear('created', reseller);
  const foreign = await hear('created', stranger);
  const updated = await hear('updated');
  const removed = await hear('removed');
  const one = await add({ phone: '+79161234568' });
  // Events of earlier tests may arrive late.
  const contactsOf = (heard: typeof created) =>
    heard.flatMap((body) => ('items' in body ? body.items : [])).filter(({ id }) => id === one.id);
  await until(
    async () => [created, kept].every((heard) => contactsOf(heard).length),
    'it was made',
  );
  expect([created, kept].map(contactsOf)).toEqual([[one], [one]]);
  const changed = await customer.api(contacts.update, {
    params: { id: one.id },
    body: { firstName: 'Anna' },
  });
  await until(async () => contactsOf(updated).length === 1, 'it is told that it changed');
  expect(contactsOf(updated)).toEqual([changed]);
  const two = await add({ phone: '+79161234569' });
  await customer.api(contacts.removeMany, { body: { ids: [one.id] } });
  await customer.api(contacts.remove, { params: { id: two.id } });
  const gone = () =>
    removed
      .flatMap((body) => ('ids' in body ? body.ids : []))
      .filter((id) => id === one.id || id === two.id)
      .sort();
  await until(async () => gone().length === 2, 'it is told that they went');
  expect(gone()).toEqual([one.id, two.id].sort());
  expect(foreign).toEqual([]);
});

test('many changes, and all of a list, are sent as a count', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 18; i++) ids.push((await add({ phone: `+791612346${i + 10}` })).id);
  const removed = await hear('removed');
  await customer.api(contacts.removeMany, { body: { ids: ids.slice(1) } });
  await until(async () => removed.length === 1, 'their number comes');
  await customer.api(contactLists.remove, { params: { id: ListId } });
  await until(async () => removed.length === 2, 'what went with the list comes');
  expect(removed).toEqual([
    { groupId: null, count: 17 },
    { groupId: ListId, count: 1 },
  ]);
});

test('tags are kept once whatever their case, replaced as a whole, and left alone by other changes', async () => {
  const { id, tags } = await add({ phone: '+79161234567', tags: ['VIP', ' vip ', 'e\u0301lan'] });
  expect(tags).toEqual(['VIP', '\u00e9lan']);
  const change = (body: object) =>
    customer.api(contacts.update, { params: { id }, body: body as never });
  expect(await change({ firstName: 'Anna' })).toMatchObject({ tags });
  expect(await change({ tags: ['new'] })).toMatchObject({ tags: ['new'], firstName: 'Anna' });
  expect(await change({ tags: [] })).toMatchObject({ tags: [] });
});

test.each([
  ['too many', Array.from({ length: 21 }, (_, n) => `tag ${n}`)],
  ['too long', ['x'.repeat(51)]],
  ['empty', [' ']],
])('%s tags are refused', async (_, tags) => {
  await expect(add({ phone: '+79161234567', tags })).rejects.toMatchObject({
    status: 422,
    code: 'validation',
  });
});

test('contacts are found by a tag, in one list and in all, and only by those who may see them', async () => {
  const { id } = await add({ phone: '+79161234567', tags: ['Gold Élan'] });
  await add({ phone: '+79161234568', tags: ['Gold'] });
  await add({ phone: '+79161234569' });
  const tagged = async (who: Person, filter: object) =>
    (await who.api(contacts.find, { query: { filter: filter as never } })).data.map(
      (row) => row.id,
    );
  expect(await tagged(customer, { ListId, tag: 'GOLD ELAN' })).toEqual([id]);
  expect(await tagged(customer, { tag: 'gold élan' })).toEqual([id]);
  expect(await tagged(reseller, { tag: 'gold élan' })).toEqual([id]);
  expect(await tagged(customer, { ListId, tag: 'gold el' })).toEqual([]);
  expect(await tagged(stranger, { tag: 'gold élan' })).toEqual([]);
});

const tag = (body: object, who = customer) => who.api(contacts.tag, { body: body as never });
const tagsOf = async (id: string) => (await customer.api(contacts.get, { params: { id } })).tags;

test('tags are added to chosen contacts and removed from them, whatever their case and accents', async () => {
  const { id: one } = await add({ phone: '+79161234567', tags: ['Élan', 'old'] });
  const { id: other } = await add({ phone: '+79161234568' });
  const { id: left } = await add({ phone: '+79161234569', tags: ['old'] });
  const change = { ids: [one, other], add: ['ELAN', 'New', 'new'], remove: ['OLD'] };
  expect(await tag(change)).toEqual({ changed: 2, full: 0, next: null });
  expect(await tagsOf(one)).toEqual(['Élan', 'New']);
  expect(await tagsOf(other)).toEqual(['ELAN', 'New']);
  expect(await tagsOf(left)).toEqual(['old']);
  expect(await tag(change)).toEqual({ changed: 0, full: 0, next: null });
  expect(await tag({ ids: [other], add: ['elan'], remove: ['elan'] })).toMatchObject({
    changed: 0,
  });
  const bits = await tag({ ids: [one], add: Array.from({ length: 19 }, (_, n) => `tag ${n}`) });
  expect(bits).toEqual({ changed: 0, full: 1, next: null });
  expect(await tagsOf(one)).toEqual(['Élan', 'New']);
});

test('all contacts of a list that a filter finds get tags in steps, the next of which begins after the last contact', async () => {
  const { id: OtherList } = await customer.api(contactLists.create, {
    body: { title: 'Others', type: 'regular' },
  });
  await world.db.query(
    `insert into contacts (list_id, phone, first_name, tags)
     select l, '+7926' || lpad(n::text, 7, '0'), case when n % 100 = 0 then 'Olga' end, '{seen}'
       from unnest($1::uuid[]) l, generate_series(1, 5010) n`,
    [[ListId, OtherList]],
  );
  const tagged = async (of: string, tag: string) => {
    const filter = { ListId: of, tag };
    return (await customer.api(contacts.find, { query: { filter, limit: 1 } })).total;
  };
  expect(await tag({ where: { ListId, search: 'olg' }, add: ['name'] })).toEqual({
    changed: 50,
    full: 0,
    next: null,
  });
  const first = await tag({ where: { ListId, tag: 'SEEN' }, remove: ['seen'] });
  expect(first).toMatchObject({ changed: 5000, full: 0, next: expect.any(String) });
  const rest = { where: { ListId, tag: 'SEEN' }, after: first.next, remove: ['seen'] };
  expect(await tag(rest)).toEqual({ changed: 10, full: 0, next: null });
  expect(await tagged(ListId, 'seen')).toBe(0);
  expect(await tagged(ListId, 'name')).toBe(50);
  expect(await tagged(OtherList, 'seen')).toBe(5010);
  expect(await tagged(OtherList, 'name')).toBe(0);
});

test('all contacts of a list that a filter finds are removed in steps, and the list counts what is left', async () => {
  const { id: OtherList } = await customer.api(contactLists.create, {
    body: { title: 'Others', type: 'regular' },
  });
  for (const of of [ListId, OtherList]) {
    await world.db.query(
      `insert into contacts (list_id, phone, tags)
       select $1, '+7926' || lpad(n::text, 7, '0'), case when n <= 5010 then '{gone}'::text[] else '{}' end
         from generate_series(1, 5030) n`,
      [of],
    );
    await world.db.query(`update contact_lists set count = 5030 where id = $1`, [of]);
  }
  const remove = (body: object, who = customer) =>
    who.api(contacts.removeMany, { body: body as never });
  const where = { ListId, tag: 'GONE' };
  await expect(remove({ where }, stranger)).rejects.toMatchObject({ status: 404 });
  expect(await count()).toBe(5030);
  const first = await remove({ where });
  expect(first).toEqual({ removed: 5000, next: expect.any(String) });
  expect(await count()).toBe(30);
  expect(await remove({ where, after: first.next })).toEqual({ removed: 10, next: null });
  // A call that is repeated removes nothing more.
  expect(await remove({ where })).toEqual({ removed: 0, next: null });
  expect(await count()).toBe(20);
  const left = await customer.api(contacts.find, { query: { filter: { ListId } } });
  expect(left.total).toBe(20);
  const others = await customer.api(contactLists.get, { params: { id: OtherList } });
  expect(others.count).toBe(5030);
  const narrowed = await world.person({ grants: { remove: ['contacts.get'] } });
  const { id: own } = await narrowed.api(contactLists.create, {
    body: { title: 'Own', type: 'regular' },
  });
  // By what is removed, the values of contacts could be guessed.
  await expect(remove({ where: { ListId: own, search: 'Anna' } }, narrowed)).rejects.toMatchObject({
    status: 403,
  });
  for (const wrong of [
    {},
    { ids: [own], where: { ListId: own } },
    { where: { tag: 'gone' } },
    { ids: [own], after: own },
  ])
    await expect(remove(wrong)).rejects.toMatchObject({ status: 422 });
});

const listOf = async (who = customer) =>
  (await who.api(contactLists.create, { body: { title: 'Others', type: 'regular' } })).id;
const move = (body: object, who = customer) => who.api(contacts.move, { body: body as never });
const contactsIn = async (of: string) =>
  (
    await customer.api(contacts.find, {
      query: { filter: { ListId: of }, order: [{ field: 'createdAt', direction: 'asc' }] },
    })
  ).data;
const countOf = async (id: string) =>
  (await customer.api(contactLists.get, { params: { id } })).count;
/** What a contact has in every list. */
const valuesOf = ({ id: _, ListId: __, createdAt: ___, updatedAt: ____, ...values }: Contact) =>
  values;

const FULL = {
  phone: '+79161234561',
  email: 'anna@example.org',
  firstName: 'Anna',
  middleName: 'B.',
  lastName: 'Smith',
  gender: 'female',
  date: '1990-02-28',
  custom01: 'gold',
  custom20: 'x',
  tags: ['VIP', 'new'],
};

test('a contact is moved as it is, with its id and its time', async () => {
  const to = await listOf();
  const before = await add(FULL);
  const left = await add({ email: 'left@example.org' });
  expect(await move({ ids: [before.id], to })).toEqual({ added: 1, existing: 0, next: null });
  const [moved] = await contactsIn(to);
  expect({ ...moved!, updatedAt: before.updatedAt }).toEqual({ ...before, ListId: to });
  expect(Date.parse(moved!.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  expect((await contactsIn(ListId)).map(({ id }) => id)).toEqual([left.id]);
  expect([await count(), await countOf(to)]).toEqual([1, 1]);
  // A call that is repeated finds it where it is.
  expect(await move({ ids: [before.id], to })).toEqual({ added: 0, existing: 1, next: null });
  expect([await count(), await countOf(to)]).toEqual([1, 1]);
});

test('a copy is a contact of its own with the same values', async () => {
  const to = await listOf();
  const before = await add(FULL);
  expect(await move({ ids: [before.id], to, copy: true })).toEqual({
    added: 1,
    existing: 0,
    next: null,
  });
  const [copied] = await contactsIn(to);
  expect(copied!.id).not.toBe(before.id);
  expect(valuesOf(copied!)).toEqual(valuesOf(before));
  expect(await contactsIn(ListId)).toEqual([before]);
  expect(await move({ ids: [before.id], to, copy: true })).toMatchObject({ added: 0, existing: 1 });
  expect([await count(), await countOf(to)]).toEqual([1, 1]);
});

test.each([true, false])(
  'what the list has already stays as it is on both sides; copied: %s',
  async (copy) => {
    const to = await listOf();
    const other = (fields: object) =>
      customer.api(contacts.create, { body: { ListId: to, ...fields } as never });
    await add({ phone: '+79161234561', firstName: 'New' });
    await add({ email: 'b@example.org', firstName: 'New' });
    // An e-mail makes no contact with a phone the same as another.
    await add({ phone: '+79161234563', email: 'c@example.org' });
    await add({ email: 'd@example.org' });
    await other({ phone: '+79161234561', firstName: 'Old', tags: ['old'] });
    await other({ email: 'b@example.org', firstName: 'Old' });
    await other({ email: 'c@example.org' });
    await other({ phone: '+79161234564', email: 'd@example.org' });
    const [here, there] = [await contactsIn(ListId), await contactsIn(to)];
    const done = { added: 2, existing: 2, next: null };
    expect(await move({ where: { ListId }, to, copy })).toEqual(done);
    expect(await contactsIn(ListId)).toEqual(copy ? here : here.slice(0, 2));
    const after = await contactsIn(to);
    expect(after).toHaveLength(6);
    expect(after).toEqual(expect.arrayContaining(there));
    expect([await count(), await countOf(to)]).toEqual([copy ? 4 : 2, 6]);
  },
);

test('of the same address in several lists the first is moved', async () => {
  const [second, to] = [await listOf(), await listOf()];
  const { id: one } = await add({ phone: '+79161234561' });
  const { id: two } = await customer.api(contacts.create, {
    body: { ListId: second, phone: '+79161234561' },
  });
  expect(await move({ ids: [two, one], to })).toEqual({ added: 1, existing: 1, next: null });
  expect([await count(), await countOf(second), await countOf(to)]).toEqual([0, 1, 1]);
});

test('all contacts that a filter finds are moved in steps, each of which may be repeated', async () => {
  const to = await listOf();
  await world.db.query(
    `insert into contacts (list_id, phone, tags)
     select $1, '+7926' || lpad(n::text, 7, '0'), case when n <= 5010 then '{some}'::text[] else '{}' end
       from generate_series(1, 5020) n`,
    [ListId],
  );
  await world.db.query(`update contact_lists set count = 5020 where id = $1`, [ListId]);
  const all = { where: { ListId, tag: 'SOME' }, to };
  const copied = await move({ ...all, copy: true });
  expect(copied).toEqual({ added: 5000, existing: 0, next: expect.any(String) });
  const again = { added: 0, existing: 5000, next: copied.next };
  expect(await move({ ...all, copy: true })).toEqual(again);
  expect(await move({ ...all, copy: true, after: copied.next })).toEqual({
    added: 10,
    existing: 0,
    next: null,
  });
  expect([await count(), await countOf(to)]).toEqual([5020, 5010]);
  const third = await listOf();
  const moved = await move({ ...all, to: third });
  expect(moved).toMatchObject({ added: 5000, existing: 0 });
  expect(await move({ ...all, to: third })).toEqual({ added: 10, existing: 0, next: null });
  expect([await count(), await countOf(third)]).toEqual([10, 5010]);
  const [stored] = await world.db.query<{ n: number; ids: number }>(
    `select count(*)::int as n, count(distinct phone)::int as ids from contacts where list_id = any($1)`,
    [[ListId, third]],
  );
  expect(stored).toEqual({ n: 5020, ids: 5020 });
});

test('contacts that are moved to several lists at once, and back, are each in one of them', async () => {
  const lists = [ListId, await listOf(), await listOf()];
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7927' || lpad(n::text, 7, '0') from generate_series(1, 200) n`,
    [ListId],
  );
  await world.db.query(`update contact_lists set count = 200 where id = $1`, [ListId]);
  const ids = (
    await world.db.query<{ id: string }>(`select id from contacts where list_id = $1`, [ListId])
  ).map(({ id }) => id);
  const calls = Array.from({ length: 12 }, (_, n) => {
    const to = lists[n % 3]!;
    return move(n % 2 ? { ids, to } : { where: { ListId: lists[(n + 1) % 3]! }, to });
  });
  await Promise.all(calls);
  const held = await world.db.query<{ id: string; n: number }>(
    `select l.id, l.count as counted, (select count(*)::int from contacts c where c.list_id = l.id) as n
       from contact_lists l where l.id = any($1)`,
    [lists],
  );
  expect(held.map((list) => ({ ...list, counted: list.n }))).toEqual(held);
  expect(held.reduce((sum, { n }) => sum + n, 0)).toBe(200);
  const [row] = await world.db.query<{ n: number }>(
    `select count(distinct id)::int as n from contacts where id = any($1) and list_id = any($2)`,
    [ids, lists],
  );
  expect(row!.n).toBe(200);
});

test('contacts that are changed and deleted while they are moved count in the list that they are in', async () => {
  const other = await listOf();
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7928' || lpad(n::text, 7, '0') from generate_series(1, 20) n`,
    [ListId],
  );
  await world.db.query(`update contact_lists set count = 20 where id = $1`, [ListId]);
  const ids = (
    await world.db.query<{ id: string }>(`select id from contacts where list_id = $1`, [ListId])
  ).map(({ id }) => id);
  await Promise.all(
    ids.flatMap((id, n) => [
      move({ ids: [id], to: other }),
      n % 2
        ? customer.api(contacts.remove, { params: { id } })
        : customer.api(contacts.update, { params: { id }, body: { lastName: 'Changed' } }),
    ]),
  );
  const counts = await world.db.query<{ counted: number; n: number }>(
    `select l.count as counted, (select count(*)::int from contacts c where c.list_id = l.id) as n
       from contact_lists l where l.id = any($1) order by n`,
    [[ListId, other]],
  );
  expect(counts).toEqual([
    { counted: 0, n: 0 },
    { counted: 10, n: 10 },
  ]);
  expect((await contactsIn(other)).map(({ lastName }) => lastName)).toEqual(
    Array.from({ length: 10 }, () => 'Changed'),
  );
});

test('contacts are moved and copied within an account, by those who may', async () => {
  const to = await listOf();
  const { id } = await add({ phone: '+79161234561' });
  const foreign = await listOf(stranger);
  // Nothing of others comes into a list, and nothing goes to one of them.
  for (const copy of [true, false]) {
    expect(await move({ ids: [id], to: foreign, copy }, stranger)).toMatchObject({ added: 0 });
    for (const wrong of [
      { ids: [id], to: foreign },
      { where: { ListId }, to: foreign },
      { where: { ListId: foreign }, to },
      { ids: [id], to: crypto.randomUUID() },
    ])
      await expect(move({ ...wrong, copy })).rejects.toMatchObject({ status: 404 });
    // Of two accounts to which one has access as well.
    const own = await listOf(reseller);
    expect(await move({ ids: [id], to: own, copy }, reseller)).toMatchObject({ added: 0 });
    await expect(move({ where: { ListId }, to: own, copy }, reseller)).rejects.toMatchObject({
      status: 404,
    });
  }
  expect([await count(), await countOf(to)]).toEqual([1, 0]);
  expect(await move({ ids: [id], to }, reseller)).toMatchObject({ added: 1 });
  const keeper = await world.person({ grants: { remove: ['contacts.remove'] } });
  const ids = [crypto.randomUUID()];
  const own = await listOf(keeper);
  await expect(move({ ids, to: own }, keeper)).rejects.toMatchObject({ status: 403 });
  expect(await move({ ids, to: own, copy: true }, keeper)).toMatchObject({ added: 0 });
  const narrowed = await world.person({ grants: { remove: ['contacts.get'] } });
  const found = { ListId: await listOf(narrowed), search: 'Anna' };
  const lists = { where: found, to: await listOf(narrowed) };
  await expect(move({ ...lists, copy: true }, narrowed)).rejects.toMatchObject({ status: 403 });
  for (const wrong of [{ to }, { ids, where: { ListId }, to }, { ids }, { ids, to, after: id }])
    await expect(move(wrong)).rejects.toMatchObject({ status: 422 });
});

test('the lists of contacts that moved are told how many came and went', async () => {
  const to = await listOf();
  for (const phone of ['+79161234561', '+79161234562']) await add({ phone });
  const [created, removed] = [await hear('created'), await hear('removed')];
  await move({ where: { ListId }, to });
  const told = (heard: typeof created, groupId: string) =>
    heard.filter((body) => 'count' in body && body.groupId === groupId);
  await until(
    async () => told(created, to).length > 0 && told(removed, ListId).length > 0,
    'both lists are told',
  );
  expect(told(created, to)).toEqual([{ groupId: to, count: 2 }]);
  expect(told(removed, ListId)).toEqual([{ groupId: ListId, count: 2 }]);
});

test('nobody changes the tags of contacts that are not theirs', async () => {
  const { id } = await add({ phone: '+79161234567' });
  expect(await tag({ ids: [id], add: ['mine'] }, stranger)).toMatchObject({ changed: 0 });
  await expect(tag({ where: { ListId }, add: ['mine'] }, stranger)).rejects.toMatchObject({
    status: 404,
  });
  expect(await tagsOf(id)).toEqual([]);
  expect(await tag({ where: { ListId }, add: ['ours'] }, reseller)).toMatchObject({ changed: 1 });
});

test.each([
  ['neither ids nor a filter', { add: ['a'] }],
  ['both', { ids: [crypto.randomUUID()], where: { ListId: crypto.randomUUID() }, add: ['a'] }],
  ['a filter without a list', { where: { tag: 'a' }, add: ['a'] }],
  [
    'an unknown filter',
    { where: { ListId: crypto.randomUUID(), OwnerId: crypto.randomUUID() }, add: ['a'] },
  ],
  ['no tags', { ids: [crypto.randomUUID()], add: [], remove: [] }],
  ['a step of ids', { ids: [crypto.randomUUID()], after: crypto.randomUUID(), add: ['a'] }],
])('a change of tags with %s is refused', async (_, body) => {
  await expect(tag(body)).rejects.toMatchObject({ status: 422 });
});

test('the contacts of a tag are read by its index, in one list and in all of an account', async () => {
  const owner = await world.person();
  const lists = await world.db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title) select $1, 'list ' || n from generate_series(1, 20) n returning id`,
    [owner.id],
  );
  const ListId = lists[0]!.id;
  await world.db.query(
    `insert into contacts (list_id, phone, tags)
     select $1, '+7936' || lpad(n::text, 7, '0'), case when n = 7 then array['Rare'] else array['often'] end
       from generate_series(1, 20000) n`,
    [ListId],
  );
  // What is known of one table and not of the other would depend on when the database last looked by itself.
  await world.alone('vacuum analyze contacts, contact_lists');
  const asked = vi.spyOn(PostgresQueryRunner.prototype, 'query');
  for (const filter of [{ ListId, tag: 'rare' }, { tag: 'rare' }])
    await owner.api(contacts.find, { query: { filter } });
  const selects = asked.mock.calls.filter(([sql]) => sql.includes('contact_tags('));
  asked.mockRestore();
  expect(selects).toHaveLength(2);
  for (const [sql, parameters] of selects) {
    const plan = await world.db.queryUnprepared<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${sql}`,
      parameters as unknown[],
    );
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toMatch(/Index Scan on contacts_tags/);
    expect(lines).not.toMatch(/Rows Removed by [\w ]*Filter: \d{4}|actual rows=\d{4}/);
  }
});
