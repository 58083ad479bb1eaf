import {
  audit,
  auth,
  conversations,
  members,
  notifications,
  sendingsIncoming,
  tokens,
  type Conversation,
} from '@heliograph/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until, World, type Person } from '../../../test/world.ts';
import { RateLimits } from '../../core/rate-limits.ts';

let world: World;
let owner: Person;
let anna: Person;
const PHONES = ['+79161110001', '+79161110002'] as const;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person();
  anna = await world.member(owner, 'sender');
});

/** Begins a conversation. */
async function begun(phone: string = PHONES[0], by = owner): Promise<Conversation> {
  const payload = { text: 'Hello' };
  await by.api(sendingsIncoming.create, { body: { type: 'sms', from: phone, to: 'TEA', payload } });
  return (await by.api(conversations.find)).data[0]!;
}
const assign = ({ id }: { id: string }, user: { id: string } | null, by = owner) =>
  by.api(conversations.assign, { params: { id }, body: { AssigneeId: user?.id ?? null } });
const get = ({ id }: { id: string }, by = owner) => by.api(conversations.get, { params: { id } });
const listed = async (filter: object, by = owner) =>
  (await by.api(conversations.find, { query: { filter } })).data.map(({ address }) => address);
const told = async (who: Person) =>
  (await who.api(notifications.find)).data
    .filter(({ type }) => type === 'ConversationAssigned')
    .map(({ data }) => data);
const REFUSED = { status: 422, body: { errors: [{ property: 'AssigneeId' }] } };

test('is assigned to others a limited number of times, since each is told', async () => {
  const one = await begun();
  const { redis } = world.api.get(RateLimits);
  await redis.set(`assignments:${owner.id}`, 599, 'EX', 3600);
  await assign(one, anna);
  await expect(assign(one, anna)).rejects.toMatchObject({ status: 429 });
  await assign(one, owner);
  await assign(one, null);
  expect(await told(anna)).toHaveLength(1);
});

test('is assigned to a member, who is told by whom, and to nobody again', async () => {
  const one = await begun();
  expect(one.Assignee).toBeNull();
  expect(await assign(one, anna)).toMatchObject({
    id: one.id,
    Assignee: { id: anna.id, name: anna.username },
  });
  expect(await told(anna)).toEqual([{ id: one.id, by: owner.username }]);
  await assign(one, anna);
  await assign(one, anna, anna);
  expect(await told(anna)).toHaveLength(1);
  expect(await assign(one, null, anna)).toMatchObject({ Assignee: null });
  await assign(one, anna, anna);
  expect(await told(anna)).toHaveLength(1);
  expect(await told(owner)).toEqual([]);
});

test('a name is shown in place of a username', async () => {
  await world.db.query(
    `update users set data = '{"firstName":"Anna","lastName":"Petrova"}' where id = $1`,
    [anna.id],
  );
  expect((await assign(await begun(), anna)).Assignee).toEqual({
    id: anna.id,
    name: 'Anna Petrova',
  });
});

test('is listed by who answers', async () => {
  const first = await begun(PHONES[0]);
  await begun(PHONES[1]);
  await assign(first, anna);
  expect(await listed({ assigned: 'me' }, anna)).toEqual([PHONES[0]]);
  expect(await listed({ assigned: 'me', OwnerId: owner.id }, anna)).toEqual([PHONES[0]]);
  expect(await listed({ assigned: 'me' })).toEqual([]);
  expect(await listed({ assigned: 'nobody' })).toEqual([PHONES[1]]);
  expect(await listed({ assigned: 'me', state: ['closed'] }, anna)).toEqual([]);
  expect(await listed({})).toEqual([PHONES[1], PHONES[0]]);
  const found = await anna.api(conversations.find, {
    query: { search: 'hello', filter: { assigned: 'me' } },
  });
  expect(found.data).toMatchObject([{ id: first.id }]);
});

test('only users of the account who read its conversations can be given one', async () => {
  const accountant = await world.member(owner, 'accountant');
  const suspended = await world.member(owner, 'sender');
  await world.db.query(`update users set is_active = false where id = $1`, [suspended.id]);
  const stranger = await world.person();
  const foreign = await world.member(stranger, 'sender');
  const one = await begun();
  for (const user of [accountant, suspended, stranger, foreign])
    await expect(assign(one, user)).rejects.toMatchObject(REFUSED);
  expect((await get(one)).Assignee).toBeNull();
  const { data } = await anna.api(conversations.assignees, { params: { id: one.id } });
  expect(data.map(({ id }) => id)).toEqual([owner.id, anna.id]);
  const analyst = await world.member(owner, 'analyst');
  await assign(one, analyst);
  await expect(assign(one, anna, analyst)).rejects.toMatchObject({ status: 403 });
});

test('belongs to its account; its reseller assigns it to users of that account', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const one = await begun(PHONES[0], customer);
  const params = { id: one.id };
  await expect(assign(one, anna, anna)).rejects.toMatchObject({ status: 404 });
  await expect(owner.api(conversations.assignees, { params })).rejects.toMatchObject({
    status: 404,
  });
  await expect(assign(one, reseller, reseller)).rejects.toMatchObject(REFUSED);
  expect(await reseller.api(conversations.assignees, { params })).toEqual({
    data: [{ id: customer.id, name: customer.username }],
  });
  await assign(one, customer, reseller);
  expect(await told(customer)).toEqual([{ id: one.id, by: reseller.username }]);
  expect(await listed({ assigned: 'me' }, reseller)).toEqual([]);

  await assign(one, null, customer);
  const { token } = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  await assign(one, customer, { ...customer, api: world.client(token) });
  expect(await told(customer)).toHaveLength(2);
  const { data } = await customer.api(audit.find, {
    query: { filter: { action: ['conversations.assign'] } },
  });
  expect(data).toMatchObject([
    { Actor: { id: reseller.id }, User: { id: customer.id }, target: { id: one.id } },
    { Actor: { id: reseller.id }, User: null, target: { id: one.id } },
  ]);
});

test('a token assigns with the permission to change conversations', async () => {
  const one = await begun();
  const withToken = async (permissions: ('sendingsIncoming.get' | 'sendingsIncoming.update')[]) => {
    const { token } = await owner.api(tokens.create, { body: { description: 'S', permissions } });
    return { ...owner, api: world.client(token) };
  };
  const reading = await withToken(['sendingsIncoming.get']);
  await expect(assign(one, anna, reading)).rejects.toMatchObject({ status: 403 });
  const changing = await withToken(['sendingsIncoming.get', 'sendingsIncoming.update']);
  expect((await assign(one, anna, changing)).Assignee?.id).toBe(anna.id);
  expect(await told(anna)).toHaveLength(1);
  await assign(one, owner, changing);
  expect(await told(owner)).toEqual([]);
  expect(await listed({ assigned: 'me' }, reading)).toEqual([PHONES[0]]);
});

test('a member who is removed, or reads conversations no longer, answers none', async () => {
  const boris = await world.member(owner, 'sender');
  const [first, second] = [await begun(PHONES[0]), await begun(PHONES[1])];
  await assign(first, anna);
  await assign(second, boris);
  await owner.api(members.update, { params: { id: anna.id }, body: { role: 'analyst' } });
  expect((await get(first)).Assignee?.id).toBe(anna.id);
  await owner.api(members.update, { params: { id: anna.id }, body: { role: 'accountant' } });
  expect((await get(first)).Assignee).toBeNull();
  expect((await get(second)).Assignee?.id).toBe(boris.id);
  await owner.api(members.remove, { params: { id: boris.id } });
  expect(await listed({ assigned: 'nobody' })).toEqual([PHONES[1], PHONES[0]]);
  await expect(assign(second, boris)).rejects.toMatchObject(REFUSED);
});

test('a conversation that is assigned while its member is removed is assigned to nobody', async () => {
  const one = await begun();
  const outcomes = await Promise.allSettled([
    assign(one, anna),
    owner.api(members.remove, { params: { id: anna.id } }),
  ]);
  expect(outcomes[1]!.status).toBe('fulfilled');
  expect((await get(one)).Assignee).toBeNull();
});

test('other open cabinets see it at once', async () => {
  const one = await begun();
  const socket = io(world.base, { auth: { token: anna.token }, transports: ['websocket'] });
  const seen: Conversation[] = [];
  socket.on('conversations.updated', ({ items }: { items: Conversation[] }) => seen.push(...items));
  await until(async () => socket.connected, 'the socket is connected');
  await assign(one, anna);
  await until(async () => seen.some(({ Assignee }) => Assignee?.id === anna.id), 'the event');
  socket.close();
});

test('a list by who answers is read along its index', async () => {
  const one = await begun();
  await world.db.query(
    `insert into conversations (owner_id, address, state, last_id, is_last_incoming, type, sender, assignee_id)
     select owner_id, '+7916' || n, state, uuidv7(), true, type, sender, case when n % 100 = 0 then null else $2::uuid end
       from conversations, generate_series(1000000, 1009999) n where id = $1`,
    [one.id, owner.id],
  );
  await world.db.query(`analyze conversations`);
  const planOf = async (condition: string) =>
    (
      await world.db.query<{ 'QUERY PLAN': string }>(
        `explain (costs off) select last_id from conversations c where c.owner_id = '${owner.id}' and ${condition} order by c.last_id desc limit 17`,
      )
    )
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  expect(await planOf('c.assignee_id is null')).toContain('conversations_unassigned');
  const mine = await planOf(`c.assignee_id = '${anna.id}'`);
  expect(mine).toContain('conversations_assignee');
  expect(mine).not.toContain('Sort');
});
