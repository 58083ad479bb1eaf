import {
  patterns,
  sendings,
  users,
  templates,
  type Estimate,
  type Sending,
  type Template,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, contactList, finished, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let manager: Person;
let reseller: Person;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
  manager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({
    balance: 1000,
    resellerId: reseller.id,
    managerId: manager.id,
  });
  await approve(world, owner.id);
  await priceGroups(owner);
});

/** 5, and 1 for service, 2 for transactional messages. */
async function priceGroups(who: Person): Promise<void> {
  const [tariff] = await world.db.query<{ id: string }>(
    `insert into tariffs (title, source) values ('Groups', 'sms') returning id`,
  );
  for (const [price, priority, group] of [
    [5, 0, null],
    [1, 1, 'service'],
    [2, 1, 'transactional'],
  ] as const)
    await world.db.query(
      `insert into tariff_rules (tariff_id, action, price, priority, conditions) values ($1, 'increase', array[$2::numeric], $3, $4)`,
      [
        tariff!.id,
        price,
        priority,
        JSON.stringify(group ? [{ tag: 'group', value: [group] }] : []),
      ],
    );
  await world.db.query(`insert into users_tariffs values ($1, $2, 100)`, [who.id, tariff!.id]);
}

const template = (text: string, group?: string, over: object = {}): Promise<Template> =>
  owner.api(templates.create, {
    body: { title: 'Code', type: 'sms', payload: { text }, group, ...over } as never,
  });
const decide = (by: Person, { id }: Template, over: object = {}) =>
  by.api(templates.moderate, {
    params: { id },
    body: { moderation: 'approved', ...over } as never,
  });
const bodyOf = (text: string, recipient: unknown = '+79020000001') => ({
  type: 'sms',
  recipient,
  payload: { sender: 'MIRTEA', text },
});
const priceOf = (text: string): Promise<number> =>
  owner
    .api(sendings.estimate, { body: bodyOf(text) as never })
    .then((estimate: Estimate) => estimate.amount);
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });

test('a message is of the group of the approved template that it matches, and is priced by it', async () => {
  const code = await template('Code %d{4,6}', 'transactional');
  const order = await template('{firstName|Friend}, order %d{1,9} is ready', 'service');
  await template('Sale on %w+{1,50}!', 'service', { isActive: false });
  // Only approved templates apply.
  expect(await priceOf('Code 1234')).toBe(5);
  await decide(manager, code);
  await decide(manager, order);
  await until(async () => (await priceOf('Code 1234')) === 2, 'the template to count');
  const matches = async (text: string) =>
    (await owner.api(sendings.estimate, { body: bodyOf(text) as never })).templates;
  expect(await matches('Code 1234')).toEqual([
    { title: 'Code', group: 'transactional', count: 1, amount: 2 },
  ]);
  expect(await matches('Code 12')).toEqual([
    { title: null, group: 'advertising', count: 1, amount: 5 },
  ]);
  expect(await priceOf('Code 12')).toBe(5);
  expect(await priceOf('Code 1234. Sale!')).toBe(5);
  expect(await priceOf('Sale on tea!')).toBe(5);
  expect(await priceOf('Anna, order 17 is ready')).toBe(1);
  const { json } = await raw(world, owner, 'POST', '/sendings', bodyOf('Code 1234'));
  expect((await get(json.id)).meta).toMatchObject({
    recipientGroup: 'transactional',
    billing: { amount: 2 },
  });
  const other = await raw(world, owner, 'POST', '/sendings', bodyOf('Sale!'));
  expect((await get(other.json.id)).meta).toMatchObject({
    recipientGroup: 'advertising',
    billing: { amount: 5 },
  });
  // A changed text requires moderation again.
  const params = { id: code.id };
  const said = { payload: { text: 'Code %d{4,6}. Sale!' } };
  expect((await owner.api(templates.update, { params, body: said })).moderation).toBe('pending');
  await until(async () => (await priceOf('Code 1234')) === 5, 'the template to count no more');
  expect(await problems(world)).toEqual([]);
});

test('each message of a bulk and its fallback are classified by their text', async () => {
  await decide(manager, await template('%w{1,20}, order 17 is ready', 'service'));
  const list = await contactList(world, owner.id, 3);
  await world.db.query(
    `update contacts set first_name = 'Two words' where list_id = $1 and phone like '%2'`,
    [list],
  );
  const text = '{firstName}, order 17 is ready';
  const body = bodyOf(text, { include: [list] });
  const estimate = () => owner.api(sendings.estimate, { body: body as never });
  await until(async () => (await estimate()).amount === 7, 'the template to count');
  const fallbacks = [{ ...body, $options: { onStatus: ['failed'] } }].map(
    ({ recipient: _, ...f }) => f,
  );
  const { json } = await raw(world, owner, 'POST', '/sendings', body);
  await finished(owner, json.id);
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: json.id } } });
  expect(data.map((s) => [s.meta.recipientGroup, s.meta.billing!.amount]).sort()).toEqual([
    ['advertising', 5],
    ['service', 1],
    ['service', 1],
  ]);
  // 02 always fails, and so its fallback starts.
  const failing = { ...bodyOf('Sale!', '+79990000002'), fallbacks };
  failing.fallbacks[0]!.payload = { sender: 'MIRTEA', text: 'Anna, order 17 is ready' };
  const chain = await raw(world, owner, 'POST', '/sendings', failing);
  const attempts = await until(async () => {
    const found = await owner.api(sendings.find, { query: { filter: { chainId: chain.json.id } } });
    return found.data.length === 2 && found.data;
  }, 'the fallback');
  expect(attempts.map((s) => [s.attempt, s.meta.recipientGroup]).sort()).toEqual([
    [0, 'advertising'],
    [1, 'service'],
  ]);
});

test('only a manager approves a template of another group than advertising', async () => {
  const mine = await template('Code %d{4}', 'service');
  await expect(decide(reseller, mine)).rejects.toMatchObject({ status: 403 });
  expect(await decide(reseller, mine, { group: 'advertising' })).toMatchObject({
    moderation: 'approved',
    group: 'advertising',
  });
  // A new request requires moderation again.
  const again = await owner.api(templates.update, {
    params: { id: mine.id },
    body: { group: 'service' },
  });
  expect(again).toMatchObject({ moderation: 'pending', group: 'service' });
  expect(await decide(manager, again, { group: 'transactional' })).toMatchObject({
    group: 'transactional',
  });
});

test('operator templates take precedence over the templates of the account', async () => {
  const { id } = await manager.api(patterns.create, {
    body: {
      title: 'Codes',
      type: 'sms',
      text: 'Code %d{4}',
      group: 'service',
      sender: 'mirtea',
      mccmnc: '25099',
      OwnerId: owner.id,
    },
  });
  await decide(manager, await template('Code %d{1,9}', 'transactional'));
  // The network of +7 902 000-00-01 is none of those; that of +7 903 is.
  const of = async (text: string, recipient: string) => {
    const { json } = await raw(world, owner, 'POST', '/sendings', bodyOf(text, recipient));
    const { meta } = await get(json.id);
    return [meta.recipientGroup, meta.billing!.amount];
  };
  await until(async () => (await priceOf('Code 1234')) === 2, 'the template to count');
  expect(await of('Code 1234', '+79031234567')).toEqual(['service', 1]);
  expect(await of('Code 1234', '+79020000001')).toEqual(['transactional', 2]);
  expect(await of('Code 123', '+79031234567')).toEqual(['transactional', 2]);
  expect(await of('Sale!', '+79031234567')).toEqual(['advertising', 5]);

  const params = { id };
  const scoped = { params: { id: owner.id }, query: { scope: ['full'] } as never };
  const full = await owner.api(users.get, scoped);
  expect(full.Patterns).toMatchObject([{ id, text: 'Code %d{4}', OwnerId: owner.id }]);
  expect(full.Patterns![0]).not.toHaveProperty('Owner');
  expect((await manager.api(users.get, scoped)).Patterns).toMatchObject([
    { id, Owner: { id: owner.id, username: owner.username } },
  ]);
  // Only managers can change it, and a change is in the audit log.
  for (const who of [owner, reseller])
    await expect(
      who.api(patterns.update, { params, body: { group: 'service' } }),
    ).rejects.toMatchObject({ status: 403 });
  await manager.api(patterns.update, { params, body: { group: 'advertising', mccmnc: null } });
  await until(async () => (await priceOf('Code 1234')) === 5, 'the change to count');
  await manager.api(patterns.remove, { params });
  await until(async () => (await priceOf('Code 1234')) === 2, 'the pattern to count no more');
  const kept = await world.db.query(
    `select action, before, after from audit_log where target_id = $1 order by id`,
    [id],
  );
  expect(kept).toMatchObject([
    { action: 'patterns.create', after: { text: 'Code %d{4}' } },
    {
      action: 'patterns.update',
      before: { group: 'service', mccmnc: '25099' },
      after: { group: 'advertising', mccmnc: null },
    },
    { action: 'patterns.remove', before: { text: 'Code %d{4}' } },
  ]);
  expect(await problems(world)).toEqual([]);
});

test.each([
  [{ text: '{firstName}' }, 'text'],
  [{ text: '%w+{1,99}' }, 'text'],
  [{ mccmnc: '25' }, 'mccmnc'],
  [{ sender: '' }, 'sender'],
  [{ title: '' }, 'title'],
  [{ OwnerId: undefined }, 'OwnerId'],
])('a pattern with %j is refused', async (wrong, field) => {
  const body = { title: 'Codes', type: 'sms', text: 'Code %d{4}', group: 'service', ...wrong };
  const given = { OwnerId: owner.id, ...body };
  await expect(manager.api(patterns.create, { body: given as never })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field })] },
  });
});
