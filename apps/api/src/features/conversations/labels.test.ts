import { conversations, sendingsIncoming, type Conversation } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { World, type Person } from '../../../test/world.ts';

let world: World;
let owner: Person;
let reseller: Person;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  reseller = await world.person({ level: 'reseller' });
  owner = await world.person({ resellerId: reseller.id });
});

/** Begins a conversation with this person. */
async function begun(phone: string, by = owner): Promise<Conversation> {
  const payload = { text: 'Where is my tea?' };
  await by.api(sendingsIncoming.create, { body: { type: 'sms', from: phone, to: 'TEA', payload } });
  return (await by.api(conversations.find)).data[0]!;
}
const label = ({ id }: { id: string }, labels: string[], by = owner) =>
  by.api(conversations.label, { params: { id }, body: { labels } });
const listed = async (filter: object, by = owner, search?: string) =>
  (await by.api(conversations.find, { query: { filter, search } })).data.map((one) => one.address);
const known = async (by = owner, OwnerId?: string) =>
  (await by.api(conversations.labels, { query: { OwnerId } })).data;
const [ANNA, BORIS, CLARA] = ['+79161110001', '+79161110002', '+79161110003'] as const;

test('labels are replaced as a whole; of those that fold to the same the first is kept', async () => {
  const one = await begun(ANNA);
  expect(one.labels).toEqual([]);
  expect(await label(one, ['Жалоба', ' жалоба ', 'Élan', 'elan'])).toMatchObject({
    id: one.id,
    labels: ['Жалоба', 'Élan'],
  });
  expect((await label(one, ['VIP'])).labels).toEqual(['VIP']);
  // A new message leaves them.
  expect((await begun(ANNA)).labels).toEqual(['VIP']);
  expect((await label(one, [])).labels).toEqual([]);
});

test('what is no label, or too many, is refused and changes nothing', async () => {
  const one = await begun(ANNA);
  await label(one, ['VIP']);
  for (const wrong of [
    [''],
    ['  '],
    ['x'.repeat(51)],
    Array.from({ length: 11 }, (_, i) => `${i}`),
  ])
    await expect(label(one, wrong), JSON.stringify(wrong)).rejects.toMatchObject({ status: 422 });
  expect(await listed({ label: 'vip' })).toEqual([ANNA]);
});

test('a list has those with a label, with other filters, a search and the next page', async () => {
  const [anna, boris] = [await begun(ANNA), await begun(BORIS)];
  await begun(CLARA);
  await label(anna, ['Delivery', 'VIP']);
  await label(boris, ['VIP']);
  expect(await listed({ label: 'vip' })).toEqual([BORIS, ANNA]);
  expect(await listed({ label: 'DELIVERY' })).toEqual([ANNA]);
  expect(await listed({ label: 'deliver' })).toEqual([]);
  expect(await listed({ label: 'vip', state: 'closed' })).toEqual([]);
  expect(await listed({ label: 'vip' }, owner, 'tea')).toEqual([BORIS, ANNA]);
  expect(await listed({ label: 'vip' }, owner, '916 111-00-01')).toEqual([ANNA]);
  const { data } = await owner.api(conversations.find, {
    query: { filter: { label: 'vip' }, limit: 1, offset: 1 },
  });
  expect(data.map(({ address }) => address)).toEqual([ANNA]);
});

test('the reseller finds and reads the labels of its customers, others do not', async () => {
  const sibling = await world.person({ resellerId: reseller.id });
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  await label(await begun(ANNA), ['VIP']);
  await label(await begun(BORIS, sibling), ['VIP', 'Late'], sibling);
  expect(await listed({ label: 'vip' }, reseller)).toEqual([BORIS, ANNA]);
  expect(await listed({ label: 'vip', OwnerId: owner.id }, reseller)).toEqual([ANNA]);
  expect(await listed({ label: 'vip', OwnerId: sibling.id }, manager)).toEqual([BORIS]);
  expect(await listed({ label: 'vip', OwnerId: sibling.id }, manager, 'tea')).toEqual([BORIS]);
  expect(await listed({ label: 'vip' }, owner)).toEqual([ANNA]);
  expect(await known(reseller, sibling.id)).toEqual(['Late', 'VIP']);
  expect(await known(reseller)).toEqual([]);
  expect(await known(owner)).toEqual(['VIP']);
  const one = await begun(ANNA);
  await expect(label(one, [], sibling)).rejects.toMatchObject({ status: 404 });
  expect((await label(one, ['Late'], reseller)).labels).toEqual(['Late']);
});

test('labels in use are those of most conversations, as most of them write it', async () => {
  for (const [n, labels] of [
    ['vip', 'Late'],
    ['VIP', 'Late'],
    ['VIP', 'late', 'New'],
    ['VIP'],
  ].entries())
    await label(await begun(`+7916111000${n}`), labels);
  expect(await known()).toEqual(['VIP', 'Late', 'New']);
});
