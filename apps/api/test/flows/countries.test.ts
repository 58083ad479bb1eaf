import {
  contactLists,
  contacts,
  registration,
  sendings,
  sendingsIncoming,
  storage,
  users,
  type StoredFile,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPhone } from '../../src/features/users/set-phone.ts';
import { requestErasure, erasePerson } from '../../src/features/sendings/persons/erase-person.ts';
import { setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, World } from '../world.ts';

/** Countries of customers with a national number, its stored form, and the country assumed. */
const PLACES = [
  ['KZ', '+77051112233', '701 123 45 67', '+77011234567'],
  ['ES', '+34611222333', '612 34 56 78', '+34612345678'],
  ['DE', '+4915111222333', '0151 23456789', '+4915123456789'],
  ['DE', '+4915111222333', '89 12345678', '+498912345678'],
  ['IN', '+919111222333', '98765 43210', '+919876543210'],
  ['VN', '+84911222333', '84 98 765 43 21', '+84987654321'],
] as const;
const payload = { sender: 'MIRTEA', text: 'Hello' };

let world: World;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
});
afterAll(() => world.stop());

async function customer(own: string): Promise<Person> {
  const who = await world.person();
  await setPhone(world.db, { username: who.username, phone: own });
  return who;
}

const listOf = async (who: Person, type: 'regular' | 'blacklist') =>
  (await who.api(contactLists.create, { body: { title: `A ${type}`, type } })).id;

async function imported(who: Person, ListId: string, text: string) {
  const body = new FormData();
  body.set('file', new Blob([text]), 'friends.csv');
  const { key } = (await who.api(storage.create, {
    body: body as never,
    query: {},
  })) as StoredFile;
  return who.api(contacts.import, { body: { ListId, from: { key } } });
}

test.each(PLACES)('of %s (%s) the number %s is %s everywhere', async (_, own, typed, phone) => {
  const who = await customer(own);
  const assumed = phone === `+${typed.replaceAll(' ', '')}` ? [] : [{ country: _, count: 1 }];
  const ListId = await listOf(who, 'regular');

  // Created in the form; found in national form by filter and search, by owner and manager.
  const made = await who.api(contacts.create, { body: { ListId, phone: typed } });
  expect(made.phone).toBe(phone);
  for (const [person, filter] of [
    [who, { ListId, phone: typed }],
    [who, { phone: typed }],
    [manager, { ListId, phone: typed }],
    [manager, { OwnerId: who.id, phone: typed }],
  ] as const)
    expect((await person.api(contacts.find, { query: { filter } })).total).toBe(1);
  for (const person of [who, manager]) {
    const query = { filter: { ListId }, search: typed };
    expect((await person.api(contacts.find, { query })).total).toBe(1);
  }
  const params = { id: made.id };
  await who.api(contacts.update, { params, body: { phone: '+79020000001' } });
  expect((await who.api(contacts.update, { params, body: { phone: typed } })).phone).toBe(phone);

  // By a file, whose report names the assumed country.
  const report = await imported(who, ListId, `phone\n${typed}\n+79020000001\n`);
  expect(report).toMatchObject({ created: 1, updated: 1, rejected: 0, assumed });

  // Messages are found by it, and blacklists apply.
  const sent = await raw(world, who, 'POST', '/sendings', {
    type: 'viber',
    recipient: typed,
    payload,
  });
  expect(sent.json).toMatchObject({ recipient: phone, status: 'pending' });
  for (const query of [
    { filter: { recipient: typed } },
    { search: typed },
    { filter: { recipient: typed, OwnerId: who.id } },
  ])
    expect((await who.api(sendings.find, { query })).total).toBe(1);
  const query = { filter: { OwnerId: who.id, recipient: typed } };
  expect((await manager.api(sendings.find, { query })).total).toBe(1);
  await imported(who, await listOf(who, 'blacklist'), `phone\n${typed}\n`);
  const held = await raw(world, who, 'POST', '/sendings', {
    type: 'viber',
    recipient: [typed],
    payload,
  });
  expect(held.json).toMatchObject({ payload: { skipped: { blacklisted: 1 } } });

  // Answers.
  await world.db.query(
    `insert into sendings_incoming (id, owner_id, type, "from", "to", payload) values (uuidv7(), $1, 1, $2, 'MIRTEA', '{"text":"Yes"}')`,
    [who.id, phone],
  );
  for (const asked of [{ filter: { from: typed } }, { search: typed }])
    expect((await who.api(sendingsIncoming.find, { query: asked })).total).toBe(1);

  // The operator of an installation reads it in the same way.
  const erasure = await requestErasure(world.db, { OwnerId: who.id, address: typed });
  const erased = await erasePerson(world.db, erasure);
  expect(erased.contacts).toMatchObject([{ count: 1 }, { count: 1 }]);
  expect(erased.incoming).toBe(1);
  await setPhone(world.db, { username: who.username, phone: typed });
  expect((await who.api(users.me, {})).data.phone).toBe(phone);
});

test('a user registers with a national phone number and is found by it', async () => {
  for (const [country, , typed, phone] of PLACES.slice(0, 3)) {
    const username = `${country}-${phone.slice(1)}@example.org`;
    const { id } = await world.client()(registration.create, {
      body: {
        username,
        password: 'heliograph7',
        data: { firstName: 'Anna', phone: typed, country },
      },
    });
    const get = () => manager.api(users.get, { params: { id } });
    expect((await get()).data.phone).toBe(phone);
  }
});
