import { contactLists, contacts, links, storage, templates } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactList } from './factories.ts';
import { MESSAGE } from './scene.ts';
import { type Person, World } from './world.ts';

let world: World;
let who: Person;
beforeAll(async () => {
  world = await World.start({
    QUOTA_STORAGE_MB: '1',
    QUOTA_TEMPLATES: '2',
    QUOTA_LINKS: '2',
    QUOTA_LISTS: '2',
    QUOTA_CONTACTS: '12',
  });
  who = await world.person();
});
afterAll(() => world.stop());

const file = (size: number) => {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(size)]), 'a.txt');
  return body as never;
};

const KEPT: [quota: string, add: (n: number) => Promise<{ id: string }>, taken: number][] = [
  ['storage', () => who.api(storage.create, { body: file(400 * 1024), query: {} }), 2],
  ['templates', (n) => who.api(templates.create, { body: { title: `Sale ${n}`, ...MESSAGE } }), 2],
  ['links', (n) => who.api(links.create, { body: { url: `https://tea.example/${n}` } }), 2],
  [
    'contactLists',
    (n) => who.api(contactLists.create, { body: { title: `List ${n}`, type: 'regular' } }),
    2,
  ],
];
test.each(KEPT)('%s: concurrent inserts do not exceed the quota', async (quota, add, taken) => {
  const all = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => add(n)));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(6 - taken);
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      status: 409,
      body: { code: 'quota_exceeded', payload: { quota } },
    });
  // Another account has its own.
  who = await world.person();
  await add(0);
});

test('contacts are counted over all lists', async () => {
  const [first, second] = [
    await contactList(world, who.id, 10),
    await contactList(world, who.id, 0),
  ];
  const add = (ListId: string, n: number) =>
    who.api(contacts.create, { body: { ListId, phone: `+7900123000${n}` } });
  await add(second!, 1);
  await add(first!, 2);
  await expect(add(second!, 3)).rejects.toMatchObject({
    body: { code: 'quota_exceeded' },
  });
  const move = (copy: boolean) =>
    who.api(contacts.move, { body: { where: { ListId: second! }, to: first!, copy } });
  await expect(move(true)).rejects.toMatchObject({ body: { code: 'quota_exceeded' } });
  // What is moved makes no more contacts, also if there are more than may be added by now.
  await world.db.query(`update contact_lists set count = count + 5 where id = $1`, [first]);
  expect(await move(false)).toMatchObject({ added: 1 });
});
