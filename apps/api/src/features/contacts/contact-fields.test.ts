import {
  audit,
  contactFields,
  contactLists,
  contacts,
  storage,
  tokens,
  type NamedField,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const named = async ({ api }: Person, query = {}) =>
  (await api(contactFields.get, { query })).fields;
const name = ({ api }: Person, ...fields: NamedField[]) =>
  api(contactFields.update, { body: { fields } });
const CITY: NamedField = { field: 'custom01', title: 'City' };
const SIZE: NamedField = { field: 'custom12', title: 'Shoe size' };

test('fields are named, renamed and have no name again; each account has its own', async () => {
  const [who, other] = [await world.person(), await world.person()];
  expect(await named(who)).toEqual([]);
  expect(await name(who, SIZE, { ...CITY, title: ' City ' })).toEqual({
    OwnerId: who.id,
    fields: [CITY, SIZE],
  });
  expect(await named(who)).toEqual([CITY, SIZE]);
  expect(await named(other)).toEqual([]);
  await name(who, { ...SIZE, title: 'Size' });
  expect(await named(who)).toEqual([{ ...SIZE, title: 'Size' }]);
  await name(who);
  expect(await named(who)).toEqual([]);
  const { data } = await who.api(audit.find);
  expect(data.filter(({ action }) => action === 'contactFields.update')).toHaveLength(3);
});

test('a manager reads the names of its accounts, others of none', async () => {
  const manager = await world.person({ level: 'manager' });
  const [who, stranger] = [await world.person(), await world.person()];
  await world.db.query(`update users set manager_id = $2 where id = $1`, [who.id, manager.id]);
  await name(who, CITY);
  expect(await named(manager, { OwnerId: who.id })).toEqual([CITY]);
  await expect(named(stranger, { OwnerId: who.id })).rejects.toMatchObject({ status: 404 });
});

test.each<[string, object[]]>([
  ['two fields of one name', [CITY, { field: 'custom02', title: 'CITY' }]],
  ['two names of one field', [CITY, { ...CITY, title: 'Town' }]],
  ['a field that there is not', [{ field: 'custom21', title: 'City' }]],
  ['an empty name', [{ ...CITY, title: ' ' }]],
  ['a long name', [{ ...CITY, title: 'x'.repeat(41) }]],
  ['a line break', [{ ...CITY, title: 'Ci\nty' }]],
])('refuses %s', async (_, fields) => {
  const who = await world.person();
  await name(who, SIZE);
  await expect(name(who, ...(fields as NamedField[]))).rejects.toMatchObject({ status: 422 });
  expect(await named(who)).toEqual([SIZE]);
});

test('columns of a file are recognised by the names of fields, after those that everybody uses', async () => {
  const who = await world.person();
  await name(who, CITY, { ...SIZE, title: 'Phone' });
  const body = new FormData();
  const text = 'phone;CITY ;Street;city\n+79161234567;Kazan;Main;Omsk\n';
  body.set('file', new Blob([text]), 'people.csv');
  const { key } = await who.api(storage.create, { body: body as never, query: {} });
  const { columns } = await who.api(contacts.preview, { body: { from: { key } } });
  expect(columns.map(({ field }) => field)).toEqual(['phone', 'custom01', null, null]);
  const { id: ListId } = await who.api(contactLists.create, {
    body: { title: 'People', type: 'regular' },
  });
  await who.api(contacts.import, { body: { ListId, from: { key } } });
  const { data } = await who.api(contacts.find, { query: { filter: { ListId } } });
  expect(data).toMatchObject([{ phone: '+79161234567', custom01: 'Kazan', custom12: null }]);
});

test('names of fields are compared without accents, ё and compatibility forms', async () => {
  const who = await world.person();
  await name(who, { ...CITY, title: 'Приём' }, { ...SIZE, title: 'Région' });
  const body = new FormData();
  body.set('file', new Blob(['phone;ПРИЕМ;Re\u0301gion\n+79161234567;1;2\n']), 'people.csv');
  const { key } = await who.api(storage.create, { body: body as never, query: {} });
  const { columns } = await who.api(contacts.preview, { body: { from: { key } } });
  expect(columns.map(({ field }) => field)).toEqual(['phone', CITY.field, SIZE.field]);
});

test('needs the permission of lists', async () => {
  const who = await world.person();
  const body = { description: 'A', permissions: ['contactLists.get'] };
  const { token } = await who.api(tokens.create, { body: body as never });
  const program = { ...who, api: world.client(token) };
  expect(await named(program)).toEqual([]);
  await expect(name(program, CITY)).rejects.toMatchObject({ status: 403 });
});
