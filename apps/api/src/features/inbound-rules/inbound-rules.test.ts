import {
  contactLists,
  contacts,
  conversations,
  inboundRules,
  notifications,
  sendings,
  sendingsIncoming,
  suppressions,
  webhooks,
  type InboundRuleInput,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { approve, problems } from '../../../test/factories.ts';
import { WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { World, type Person } from '../../../test/world.ts';
import { systemScope } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Log } from '../../core/log.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { ReplySenderService } from '../sendings/intake/reply-sender.service.ts';
import { RepliesService } from '../sendings/reports/replies.service.ts';
import { DeliveryService } from '../webhooks/delivery.service.ts';
import { InboundRepliesService } from './inbound-replies.service.ts';
import { InboundRoutingService } from './inbound-routing.service.ts';
import { InboundRulesStore } from './inbound-rules.store.ts';

type Input = z.input<typeof InboundRuleInput>;

let world: World;
let owner: Person;
const PHONE = '+79161110001';
const OTHER = '+79161110002';
const REPLY = 'Our prices: example.com';
const DAY_SECONDS = 86_400;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});

const routing = () => world.api.get(InboundRoutingService, { strict: false });
/** Does what workers do: rules, replies, counters, notifications. */
async function work(): Promise<void> {
  while (await routing().route());
  while (await world.api.get(ReplySenderService, { strict: false }).send());
  await routing().countReplies();
  await routing().notifyWaiting();
}
const create = (given: Partial<Input> = {}, by = owner) =>
  by.api(inboundRules.create, {
    body: {
      title: 'Prices',
      mode: 'contains',
      keywords: ['price'],
      actions: ['reply'],
      replyText: REPLY,
      ...given,
    } as Input,
  });
const incoming = (text: string, given: object = {}) =>
  owner.api(sendingsIncoming.create, {
    body: { type: 'sms', from: PHONE, to: 'MIRTEA', payload: { text }, ...given },
  });
const heard = async (text: string, given: object = {}) => {
  const { id } = await incoming(text, given);
  await work();
  return id;
};
const get = (id: string) => owner.api(inboundRules.get, { params: { id } });
const textsTo = async (recipient: string) =>
  (await owner.api(sendings.find, { query: { filter: { recipient } } })).data.map(
    (s) => s.payload.text,
  );
const list = (by = owner) =>
  by.api(contactLists.create, { body: { title: 'Buyers', type: 'regular' } });
const webhook = (event: string, by = owner) =>
  by.api(webhooks.create, {
    body: { title: 'CRM', event: event as 'inboundRules.matched', url: 'http://127.0.0.1:9/h' },
  });

test('a matching message is answered on its channel, charged and counted', async () => {
  const { id } = await create({ replyText: 'Your number is {phone}, {firstName|friend}' });
  await heard('No match here');
  expect(await textsTo(PHONE)).toEqual([]);
  await heard('What is the PRICE?');
  const { data } = await owner.api(sendings.find, { query: { filter: { recipient: PHONE } } });
  expect(data).toMatchObject([
    {
      type: 'sms',
      payload: { sender: 'MIRTEA', text: `Your number is ${PHONE}, friend` },
      state: { status: 'pending' },
    },
  ]);
  expect(data[0]!.meta.billing).not.toBeNull();
  const rule = await get(id);
  expect(rule).toMatchObject({ matched: 1, replies: 1, held: {}, hold: null });
  expect(rule.matchedAt).not.toBeNull();
  expect(await problems(world)).toEqual([]);
});

test('a person gets one reply of a rule in its minutes, and a few a day of all rules', async () => {
  const { id } = await create({ replyMinutes: 1 });
  for (let i = 0; i < 3; i++) await heard('price');
  expect(await get(id)).toMatchObject({ matched: 3, replies: 1, held: { cooldown: 2 } });
  await heard('price', { from: OTHER });
  expect(await textsTo(OTHER)).toHaveLength(1);
  for (let i = 0; i < 12; i++) {
    world.clock.forward(61);
    await heard('price');
  }
  const rule = await get(id);
  expect(rule).toMatchObject({ replies: 11, held: { person_limit: 3 }, hold: 'person_limit' });
  expect(await textsTo(PHONE)).toHaveLength(10);
  world.clock.forward(DAY_SECONDS);
  await heard('price');
  expect(await textsTo(PHONE)).toHaveLength(11);
});

test('two messages of a person at the same time get one reply', async () => {
  const { id } = await create();
  await Promise.all(Array.from({ length: 10 }, () => incoming('price')));
  await Promise.all(Array.from({ length: 5 }, () => routing().route()));
  await work();
  expect(await textsTo(PHONE)).toEqual([REPLY]);
  expect(await get(id)).toMatchObject({ matched: 10, replies: 1, held: { cooldown: 9 } });
});

test('transactions at the same time claim a reply once', async () => {
  const { id } = await create();
  const db = world.api.get(Db, { strict: false });
  const service = world.api.get(InboundRepliesService, { strict: false });
  const rule = await world.api.get(InboundRulesStore, { strict: false }).get(systemScope, id);
  const message = {
    type: 'sms' as const,
    code: 1,
    from: PHONE,
    to: 'MIRTEA',
    text: 'price',
    tokenId: null,
  };
  const claimed = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = db.transaction(async () => {
    const holds = await service.send(owner.id, [{ rule, message }]);
    claimed.resolve();
    await end.promise;
    return holds;
  });
  await claimed.promise;
  const second = db.transaction(() => service.send(owner.id, [{ rule, message }]));
  end.resolve();
  expect(await Promise.all([first, second])).toEqual([[null], ['cooldown']]);
  await work();
  expect(await textsTo(PHONE)).toEqual([REPLY]);
});

test('a message that is delivered again is routed once', async () => {
  const { id } = await create({ replyMinutes: 1 });
  const replies = world.api.get(RepliesService, { strict: false });
  const receive = () =>
    replies.receive(
      { type: 'sms', from: PHONE, to: 'MIRTEA', payload: { text: 'price' } },
      { OwnerId: owner.id, channel: 'simulator', webhookId: `again-${owner.id}` },
    );
  await Promise.all([receive(), receive(), receive()]);
  await work();
  world.clock.forward(120);
  await receive();
  await work();
  expect(await get(id)).toMatchObject({ matched: 1, replies: 1 });
});

test('what a worker leaves unfinished is done once by the next', async () => {
  const to = await list();
  const { id } = await create({ actions: ['reply', 'list'], ListId: to.id });
  await incoming('price');
  const service = world.api.get(ContactsService, { strict: false });
  const broken = vi.spyOn(service, 'addAddresses').mockRejectedValue(new Error('killed'));
  vi.spyOn(world.api.get(Log, { strict: false }), 'warn').mockReturnValue(undefined);
  await routing().route();
  expect(await get(id)).toMatchObject({ matched: 0 });
  broken.mockRestore();
  vi.restoreAllMocks();
  await work();
  expect(await get(id)).toMatchObject({ matched: 1, replies: 1 });
  expect(await textsTo(PHONE)).toEqual([REPLY]);
});

test('a message that always fails is given up and does not stop the others', async () => {
  const to = await list();
  const { id } = await create({ actions: ['list'], ListId: to.id });
  await incoming('price');
  await incoming('price', { from: OTHER });
  const service = world.api.get(ContactsService, { strict: false });
  const original = service.addAddresses.bind(service);
  vi.spyOn(service, 'addAddresses').mockImplementation((OwnerId, ListId, addresses) =>
    addresses.includes(PHONE)
      ? Promise.reject(new Error('broken'))
      : original(OwnerId, ListId, addresses),
  );
  const log = world.api.get(Log, { strict: false });
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const error = vi.spyOn(log, 'error').mockReturnValue(undefined);
  await work();
  expect(error).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
  expect(await get(id)).toMatchObject({ matched: 1 });
  const { data } = await owner.api(contacts.find, { query: { filter: { ListId: to.id } } });
  expect(data).toMatchObject([{ phone: OTHER }]);
});

test('opt-outs come first: rules do not see them, and who has opted out gets no reply', async () => {
  const { id } = await create({ mode: 'any', keywords: [] });
  await heard('STOP');
  expect(await get(id)).toMatchObject({ matched: 0 });
  // A message of the group service is sent to people who have opted out; a reply is not.
  await heard('hello');
  expect(await get(id)).toMatchObject({ matched: 1, replies: 0, held: { unsubscribed: 1 } });
  expect(await textsTo(PHONE)).not.toContain(REPLY);
  await heard('START');
  expect(await get(id)).toMatchObject({ matched: 1 });
  await heard('hello');
  expect(await textsTo(PHONE)).toContain(REPLY);
});

test('replies do not use up the confirmations of opt-outs', async () => {
  const rules = ['a', 'b', 'c', 'd', 'e'];
  for (const word of rules) await create({ mode: 'equals', keywords: [word] });
  for (const word of rules) await heard(word);
  expect(await textsTo(PHONE)).toHaveLength(5);
  await heard('STOP');
  expect(await textsTo(PHONE)).toHaveLength(6);
});

test('systems that answer each other end: echoes, own numbers, names', async () => {
  const { id } = await create({ mode: 'any', keywords: [] });
  await approve(world, owner.id, '79161110009', 'voice');
  await heard('hi', { from: '+79161110009' });
  await heard('code 1234', { from: 'BANKINFO' });
  expect(await get(id)).toMatchObject({ held: { own_number: 1, no_address: 1 } });
  await owner.api(sendings.create, {
    body: { type: 'sms', recipient: PHONE, payload: { sender: 'MIRTEA', text: 'Tea is ready' } },
  });
  await heard('tea is READY!');
  expect(await get(id)).toMatchObject({ replies: 0, held: { echo: 1 } });
  await heard('Thanks');
  expect(await get(id)).toMatchObject({ replies: 1 });
});

test('a refused reply is counted with its reason', async () => {
  const { id } = await create({ replyMinutes: 1 });
  await heard('price', { to: 'NOBODY' });
  expect(await get(id)).toMatchObject({ hold: 'sender_not_approved' });
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  await heard('price', { from: OTHER });
  const rule = await get(id);
  expect(rule).toMatchObject({
    replies: 0,
    held: { sender_not_approved: 1, insufficient_funds: 1 },
    hold: 'insufficient_funds',
  });
  const { data } = await owner.api(sendings.find, { query: { filter: { recipient: OTHER } } });
  expect(data).toMatchObject([{ state: { status: 'failed', code: 'insufficient_funds' } }]);
});

test('a refused reply does not use up the minutes of its rule', async () => {
  const { id } = await create({ replyMinutes: 60 });
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  await heard('price');
  await world.db.query(`update balances set balance = 1000 where owner_id = $1`, [owner.id]);
  await heard('price');
  expect(await get(id)).toMatchObject({ replies: 1, held: { insufficient_funds: 1 } });
  await heard('price');
  expect(await get(id)).toMatchObject({ replies: 1, held: { cooldown: 1 } });
});

test('an account sends a bounded number of replies an hour', async () => {
  const config = world.api.get(Config, { strict: false });
  const allowed = config.REPLIES_PER_HOUR;
  config.REPLIES_PER_HOUR = 1;
  const { id } = await create({ mode: 'any', keywords: [] });
  await incoming('hello', { from: OTHER });
  await heard('hello');
  expect(await get(id)).toMatchObject({ matched: 2, replies: 1, held: { account_limit: 1 } });
  world.clock.forward(3700);
  await heard('hello');
  expect(await get(id)).toMatchObject({ replies: 2 });
  config.REPLIES_PER_HOUR = allowed;
});

test('a webhook gets the message with its rule, and only the chosen one', async () => {
  const receiver = await new WebhookReceiver().start();
  receiver.answer = (_, response) => response.end('ok');
  const chosen = await owner.api(webhooks.create, {
    body: { title: 'CRM', event: 'inboundRules.matched', url: `${receiver.base}/chosen` },
  });
  await owner.api(webhooks.create, {
    body: { title: 'Other', event: 'inboundRules.matched', url: `${receiver.base}/other` },
  });
  const { id } = await create({ actions: ['webhook'], WebhookId: chosen.id });
  const message = await heard('the price');
  const delivery = world.api.get(DeliveryService, { strict: false });
  const deliver = async () => {
    await delivery.deliver();
    await delivery.idle();
  };
  await deliver();
  const calls = receiver.take();
  expect(calls.map(({ url }) => url)).toEqual(['/chosen']);
  expect(JSON.parse(calls[0]!.body)).toMatchObject({
    type: 'inboundRules.matched',
    data: { id: message, from: PHONE, to: 'MIRTEA', text: 'the price', rule: { id } },
  });
  await owner.api(webhooks.update, { params: { id: chosen.id }, body: { state: 'disabled' } });
  await heard('price');
  await owner.api(webhooks.remove, { params: { id: chosen.id } });
  await heard('price');
  await deliver();
  receiver.stop();
  expect(receiver.take()).toEqual([]);
  expect(await get(id)).toMatchObject({ WebhookId: null, held: { webhook_off: 2 } });
});

test('people are added to a list and removed from it, once', async () => {
  const to = await list();
  await create({ actions: ['list'], ListId: to.id });
  await create({ keywords: ['leave'], actions: ['list'], ListId: to.id, listChange: 'remove' });
  for (const from of [PHONE, PHONE, OTHER, 'BANKINFO']) await incoming('price', { from });
  await incoming('price', { from: 'anna@example.com', type: 'email' });
  await work();
  const members = async () => {
    const { data } = await owner.api(contacts.find, { query: { filter: { ListId: to.id } } });
    const { count } = await owner.api(contactLists.get, { params: { id: to.id } });
    expect(count).toBe(data.length);
    return data.map(({ phone, email }) => phone ?? email).toSorted();
  };
  expect(await members()).toEqual([PHONE, OTHER, 'anna@example.com']);
  await heard('price');
  await heard('leave', { from: OTHER });
  expect(await members()).toEqual([PHONE, 'anna@example.com']);
  await owner.api(contactLists.remove, { params: { id: to.id } });
  await heard('price');
  const { data } = await owner.api(inboundRules.find);
  const rule = data.find(({ keywords }) => keywords[0] === 'price')!;
  expect(rule).toMatchObject({ ListId: null, held: { no_address: 1, list_missing: 1 } });
});

test("of a person's messages that are routed together the last one decides about a list", async () => {
  const to = await list();
  await create({ actions: ['list'], ListId: to.id });
  await create({ keywords: ['leave'], actions: ['list'], ListId: to.id, listChange: 'remove' });
  const members = async () =>
    (await owner.api(contacts.find, { query: { filter: { ListId: to.id } } })).data.map(
      ({ phone }) => phone,
    );
  // Whichever rule comes first in the batch.
  for (const first of ['price', 'leave']) {
    await incoming(first, { from: '+79161110003' });
    for (const text of ['price', 'leave']) await incoming(text, { from: PHONE });
    for (const text of ['leave', 'price']) await incoming(text, { from: OTHER });
    await work();
    expect(await members()).not.toContain(PHONE);
    expect(await members()).toContain(OTHER);
    await heard('leave', { from: OTHER });
  }
});

test('the account is notified of messages for people, at most once a minute', async () => {
  await create({ actions: ['task'] });
  const news = async () =>
    (await owner.api(notifications.find)).data.filter(({ type }) => type === 'InboundTask');
  for (let i = 0; i < 3; i++) {
    await incoming('price');
    // Somebody has answered before the rule saw the message.
    await world.db.query(`update conversations set state = 'answered' where owner_id = $1`, [
      owner.id,
    ]);
    await work();
  }
  const { data } = await owner.api(conversations.find);
  expect(data).toMatchObject([{ address: PHONE, state: 'waiting' }]);
  expect(await news()).toMatchObject([{ data: { title: 'Prices', count: 1 } }]);
  world.clock.forward(61);
  await work();
  await work();
  expect((await news()).map(({ data }) => data.count).toSorted()).toEqual([1, 2]);
});

test('of several rules one replies, and the others act', async () => {
  const to = await list();
  const first = await create({ isContinued: true });
  const second = await create({ actions: ['reply', 'list'], replyText: 'Second', ListId: to.id });
  await heard('price');
  expect(await textsTo(PHONE)).toEqual([REPLY]);
  expect(await get(first.id)).toMatchObject({ matched: 1, replies: 1 });
  expect(await get(second.id)).toMatchObject({ matched: 1, held: { already_replied: 1 } });
});

test('the order of the rules decides', async () => {
  const one = await create({ replyText: 'One' });
  const two = await create({ replyText: 'Two' });
  expect([one.position, two.position]).toEqual([1, 2]);
  const ids = [two.id, one.id];
  const rows = await owner.api(inboundRules.reorder, { body: { ids } });
  expect(rows.map(({ id, position }) => [id, position])).toEqual([
    [two.id, 1],
    [one.id, 2],
  ]);
  await heard('price');
  expect(await textsTo(PHONE)).toEqual(['Two']);
  await owner.api(inboundRules.update, { params: { id: two.id }, body: { isActive: false } });
  await heard('price', { from: OTHER });
  expect(await textsTo(OTHER)).toEqual(['One']);
  const refused = (body: { ids: string[] }) => owner.api(inboundRules.reorder, { body });
  await expect(refused({ ids: [one.id] })).rejects.toMatchObject({ status: 409 });
  await expect(refused({ ids: [one.id, one.id] })).rejects.toMatchObject({ status: 409 });
  const stranger = await world.person();
  const foreign = await create({}, stranger);
  await expect(refused({ ids: [...ids, foreign.id] })).rejects.toMatchObject({ status: 404 });
});

test('a rule has the list and the webhook of its own account', async () => {
  const stranger = await world.person();
  const refusal = (given: Partial<Input>) => create(given).catch((error: unknown) => error);
  const foreignList = await list(stranger);
  const foreignHook = await webhook('inboundRules.matched', stranger);
  const otherEvent = await webhook('tasks.state');
  const disabled = await webhook('inboundRules.matched');
  await owner.api(webhooks.update, { params: { id: disabled.id }, body: { state: 'disabled' } });
  expect(await refusal({ actions: ['list'], ListId: foreignList.id })).toMatchObject({
    status: 422,
    body: { errors: [{ property: 'ListId' }] },
  });
  for (const { id } of [foreignHook, otherEvent, disabled])
    expect(await refusal({ actions: ['webhook'], WebhookId: id })).toMatchObject({
      status: 422,
      body: { errors: [{ property: 'WebhookId' }] },
    });
  const { id } = await create();
  const unused = [{ ListId: foreignList.id }, { WebhookId: foreignHook.id }];
  for (const given of unused) {
    expect(await refusal(given)).toMatchObject({ status: 422 });
    await expect(
      owner.api(inboundRules.update, { params: { id }, body: given }),
    ).rejects.toMatchObject({ status: 422 });
  }
  await expect(
    owner.api(inboundRules.update, {
      params: { id },
      body: { actions: ['list'], ListId: foreignList.id },
    }),
  ).rejects.toMatchObject({ status: 422 });
});

test('a rule whose list was removed or whose webhook is off can still be changed and put back', async () => {
  const { id: ListId } = await list();
  const hook = await webhook('inboundRules.matched');
  const listed = await create({ actions: ['list', 'task'], ListId });
  const called = await create({ actions: ['webhook'], WebhookId: hook.id });
  await owner.api(contactLists.remove, { params: { id: ListId } });
  await owner.api(webhooks.update, { params: { id: hook.id }, body: { state: 'disabled' } });
  for (const { id } of [listed, called]) {
    const change = (body: object) => owner.api(inboundRules.update, { params: { id }, body });
    expect(await change({ title: 'Renamed' })).toMatchObject({ title: 'Renamed' });
    const read = await owner.api(inboundRules.get, { params: { id } });
    expect(await change(read)).toMatchObject({ title: 'Renamed', actions: read.actions });
    expect(await change({ isActive: false })).toMatchObject({ isActive: false });
  }
  const refused = owner.api(inboundRules.update, {
    params: { id: listed.id },
    body: { actions: ['list'] },
  });
  await expect(refused).rejects.toMatchObject({ body: { errors: [{ property: 'ListId' }] } });
  expect(
    await owner.api(inboundRules.update, {
      params: { id: listed.id },
      body: { actions: ['task'] },
    }),
  ).toMatchObject({ actions: ['task'] });
});

test.each<[Partial<Input>, string]>([
  [{ keywords: [] }, 'keywords'],
  [{ keywords: ['!!!'] }, 'keywords.0'],
  [{ actions: [] }, 'actions'],
  [{ actions: ['task', 'task'] }, 'actions'],
  [{ replyText: ' ' }, 'replyText'],
  [{ replyText: 'Hi {nobody}' }, 'replyText'],
  [{ replyMinutes: 0 }, 'replyMinutes'],
  [{ actions: ['list'] }, 'ListId'],
  [{ actions: ['webhook'] }, 'WebhookId'],
])('%j is refused', async (given, field) => {
  const error = await create(given).catch((e: unknown) => e);
  expect(error).toMatchObject({ status: 422, body: { errors: [{ property: field }] } });
});

test('an account has at most a hundred rules, also when they are created at once', async () => {
  await world.db.query(
    `insert into inbound_rules (owner_id, position, title, is_active, is_continued, types, mode, keywords, actions, reply_minutes, list_change)
     select $1, n, 'Rule', false, false, '{}', 'any', '{}', '{task}', 60, 'add' from generate_series(1, 95) n`,
    [owner.id],
  );
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect((await owner.api(inboundRules.find)).total).toBe(100);
});

test('a trial says what would happen, and nothing happens', async () => {
  const to = await list();
  const rule = await create({ actions: ['reply', 'list', 'task'], ListId: to.id });
  const body = { type: 'sms' as const, to: 'MIRTEA', from: PHONE, text: 'price?' };
  const trial = (given: object = {}) =>
    owner.api(inboundRules.try, { body: { ...body, ...given } });
  const actions = (hold: string | null) => [
    { action: 'reply', hold },
    { action: 'list', hold: null },
    { action: 'task', hold: null },
  ];
  const match = { id: rule.id, title: 'Prices', replyText: REPLY };
  expect(await trial()).toEqual({
    optOut: null,
    matches: [{ ...match, actions: actions(null) }],
  });
  expect(await trial({ from: undefined })).toMatchObject({ matches: [{ id: rule.id }] });
  expect(await trial({ text: 'stop' })).toEqual({ optOut: 'stop', matches: [] });
  expect(await trial({ text: 'hello' })).toEqual({ optOut: null, matches: [] });
  expect(await trial({ to: 'NOBODY' })).toMatchObject({
    matches: [{ actions: actions('sender_not_approved') }],
  });
  await work();
  expect(await get(rule.id)).toMatchObject({ matched: 0, replies: 0 });
  await heard('price');
  expect(await trial()).toMatchObject({ matches: [{ actions: actions('cooldown') }] });
  await owner.api(suppressions.create, { body: { address: PHONE } });
  expect(await trial()).toMatchObject({ matches: [{ actions: actions('unsubscribed') }] });
  const stranger = await world.person();
  expect(await stranger.api(inboundRules.try, { body })).toEqual({ optOut: null, matches: [] });
});

test('a burst is routed by few statements', async () => {
  const to = await list();
  const { id } = await create({ actions: ['reply', 'list', 'task'], ListId: to.id });
  await world.db.query(
    `with i as (
       insert into sendings_incoming (owner_id, type, "from", "to", payload)
       select $1, 1, '+7916' || (3000000 + n), 'MIRTEA', '{"text": "price"}' from generate_series(1, 2000) n returning id)
     insert into incoming_queue (id, owner_id) select id, $1 from i`,
    [owner.id],
  );
  const db = world.api.get(Db, { strict: false });
  const query = vi.spyOn(db, 'query');
  const execute = vi.spyOn(db, 'execute');
  while (await routing().route());
  const statements = query.mock.calls.length + execute.mock.calls.length;
  vi.restoreAllMocks();
  expect(statements).toBeLessThan(150);
  expect(await get(id)).toMatchObject({ matched: 2000 });
  expect((await owner.api(contactLists.get, { params: { id: to.id } })).count).toBe(2000);
  const [queued] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from auto_replies where owner_id = $1 and done_at is null`,
    [owner.id],
  );
  expect(queued!.n).toBe(2000);
  await world.db.query(`delete from auto_replies where owner_id = $1`, [owner.id]);
});

test('an account without rules queues nothing, and an erased person leaves nothing', async () => {
  await incoming('price');
  const rows = (table: string) =>
    world.db.query(`select 1 from ${table} where owner_id = $1`, [owner.id]);
  expect(await rows('incoming_queue')).toEqual([]);
  await create();
  const receipt = (await owner.api(sendings.create, {
    body: { type: 'sms', recipient: PHONE, payload: { sender: 'MIRTEA', text: 'Tea' } },
  })) as SendingReceipt;
  expect(receipt.code).toBeUndefined();
  await incoming('price');
  expect(await rows('incoming_queue')).toHaveLength(1);
  await world.db.query(`delete from sendings_incoming where owner_id = $1`, [owner.id]);
  expect(await rows('incoming_queue')).toEqual([]);
});
