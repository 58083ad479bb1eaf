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
const TEXT = { type: 'text', values: [] as string[] } as const;
const CITY: NamedField = { field: 'custom01', title: 'City', ...TEXT };
const SIZE: NamedField = { field: 'custom12', title: 'Shoe size', ...TEXT };

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
  ['a type that there is not', [{ ...CITY, type: 'color' }]],
  ['a choice without values', [{ ...CITY, type: 'choice' }]],
  ['values of a number', [{ ...CITY, type: 'number', values: ['1'] }]],
  ['two equal values of a choice', [{ ...CITY, type: 'choice', values: ['Gold', 'gold'] }]],
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

const SUM: NamedField = { field: 'custom02', title: 'Sum', type: 'number', values: [] };
const UNTIL: NamedField = { field: 'custom03', title: 'Until', type: 'date', values: [] };
const AGREED: NamedField = { field: 'custom04', title: 'Agreed', type: 'boolean', values: [] };
const LEVEL: NamedField = {
  field: 'custom05',
  title: 'Level',
  type: 'choice',
  values: ['Gold', 'Silver'],
};

async function typedList() {
  const who = await world.person();
  await name(who, SUM, UNTIL, AGREED, LEVEL);
  const { id: ListId } = await who.api(contactLists.create, {
    body: { title: 'People', type: 'regular' },
  });
  return { who, ListId };
}

test('a field without a type keeps its own', async () => {
  const { who } = await typedList();
  const fields = [SUM, LEVEL].map(({ field, title }) => ({ field, title: `${title} 2` }));
  await who.api(contactFields.update, { body: { fields } });
  expect(await named(who)).toEqual([
    { ...SUM, title: 'Sum 2' },
    { ...LEVEL, title: 'Level 2' },
  ]);
});

test('values of a contact are stored in the form of their type; those that do not fit are refused together', async () => {
  const { who, ListId } = await typedList();
  const body = {
    ListId,
    phone: '+79161234567',
    custom02: '1 250,50',
    custom03: '31.12.1990',
    custom04: 'да',
    custom05: 'gold',
  };
  const contact = await who.api(contacts.create, { body });
  const stored = { custom02: '1250.5', custom03: '1990-12-31', custom04: 'true', custom05: 'Gold' };
  expect(contact).toMatchObject(stored);
  const wrong = { custom02: 'many', custom03: '31.02.1990', custom04: 'maybe', custom05: 'Tin' };
  const params = { id: contact.id };
  await expect(who.api(contacts.update, { params, body: wrong })).rejects.toMatchObject({
    status: 422,
    body: { data: Object.keys(wrong).map((field) => ({ field })) },
  });
  expect(await who.api(contacts.get, { params })).toMatchObject(stored);
});

test('values from before a type are counted, stay, and may be sent back as they are', async () => {
  const { who, ListId } = await typedList();
  const of = (phone: string, custom06: string) =>
    who.api(contacts.create, { body: { ListId, phone, custom06 } });
  const { id } = await of('+79161234501', 'twelve');
  await of('+79161234502', '12.5');
  await of('+79161234503', '2026-02-30');
  await of('+79161234504', '2026-02-28');
  const check = (type: NamedField['type'], values: string[] = []) =>
    who.api(contactFields.check, { body: { field: 'custom06', type, values } });
  expect(await check('number')).toEqual({ filled: 4, misfits: 3 });
  expect(await check('date')).toEqual({ filled: 4, misfits: 3 });
  expect(await check('boolean')).toEqual({ filled: 4, misfits: 4 });
  expect(await check('choice', ['twelve', '12.5'])).toEqual({ filled: 4, misfits: 2 });
  expect(await check('text')).toEqual({ filled: 4, misfits: 0 });
  await name(who, { field: 'custom06', title: 'Count', type: 'number', values: [] });
  const body = { firstName: 'Anna', custom06: 'twelve' };
  expect(await who.api(contacts.update, { params: { id }, body })).toMatchObject(body);
});

test('cells that do not fit the type of their field are left empty and counted; dates have one order in a file', async () => {
  const { who, ListId } = await typedList();
  const rows = [
    'phone;Sum;Until;Agreed;Level',
    '+79161234501;1 250,50;05/12/1990;yes;SILVER',
    '+79161234502;many;25/12/1990;maybe;Tin',
    '+79161234503;7;12/25/1990;0;Gold',
    '+79161234504;8;26/12/1990;0;Gold',
  ];
  const file = new FormData();
  file.set('file', new Blob([`${rows.join('\n')}\n`]), 'people.csv');
  const { key } = await who.api(storage.create, { body: file as never, query: {} });
  const from = { key };
  expect(await who.api(contacts.preview, { body: { from } })).toMatchObject({ dateOrder: 'day' });
  expect(await who.api(contacts.import, { body: { ListId, from } })).toMatchObject({
    total: 4,
    rejected: 0,
    dropped: { custom02: 1, custom03: 1, custom04: 1, custom05: 1 },
    dateOrder: 'day',
  });
  const { data } = await who.api(contacts.find, {
    query: { filter: { ListId }, order: [{ field: 'phone', direction: 'asc' }] },
  });
  const values = data.map((one) => [one.custom02, one.custom03, one.custom04, one.custom05]);
  expect(values).toEqual([
    ['1250.5', '1990-12-05', 'true', 'Silver'],
    [null, '1990-12-25', null, null],
    ['7', null, 'false', 'Gold'],
    ['8', '1990-12-26', 'false', 'Gold'],
  ]);
});

test('dates of typed fields are read with the month first where the file writes it so', async () => {
  const { who, ListId } = await typedList();
  const file = new FormData();
  const text = 'phone;Sum;Until\n+79161234501;1;05/12/1990\n+79161234502;2;12/25/1990\n';
  file.set('file', new Blob([text]), 'people.csv');
  const { key } = await who.api(storage.create, { body: file as never, query: {} });
  await who.api(contacts.import, { body: { ListId, from: { key } } });
  const { data } = await who.api(contacts.find, {
    query: { filter: { ListId }, order: [{ field: 'phone', direction: 'asc' }] },
  });
  expect(data.map((one) => [one.custom02, one.custom03])).toEqual([
    ['1', '1990-05-12'],
    ['2', '1990-12-25'],
  ]);
});

test('counting values needs the permission to read contacts', async () => {
  const who = await world.person();
  const body = { description: 'A', permissions: ['contactLists.get', 'contactLists.update'] };
  const { token } = await who.api(tokens.create, { body: body as never });
  const check = world.client(token)(contactFields.check, {
    body: { field: 'custom01', type: 'number' },
  });
  await expect(check).rejects.toMatchObject({ status: 403 });
});
