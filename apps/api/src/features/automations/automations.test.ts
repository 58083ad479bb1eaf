import {
  ApiError,
  automations,
  contactLists,
  contacts,
  notifications,
  persons,
  quietHours,
  segments,
  sendings,
  sendingsIncoming,
  spendCaps,
  suppressions,
  templates,
  tokens,
  type Automation,
} from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { approve, setCarrier } from '../../../test/factories.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { InboundRoutingService } from '../inbound-rules/inbound-routing.service.ts';
import { PersonsService } from '../sendings/persons/persons.service.ts';
import { RepliesService } from '../sendings/reports/replies.service.ts';
import { AutomationRunner } from './automation-runner.ts';
import { AutomationRunsStore } from './automation-runs.store.ts';
import { AutomationScanner } from './automation-scanner.ts';
import { AutomationsStore } from './automations.store.ts';
import { verifyAutomations } from './verify.store.ts';

const DAY = 86_400;
let world: World;
/** Whose sweeps run only when a test calls them. */
let apis: INestApplicationContext[];
let person: Person;
let ListId: string;
let n = 0;

beforeAll(async () => {
  // The clock goes forward by years.
  world = await World.start({ SESSION_SECONDS: String(1e9), SESSION_DAYS: '36500' });
  await setCarrier(world, {});
  apis = [world.api, (await world.startApi()).app];
});
beforeEach(async () => {
  person = await world.person({ balance: 100_000 });
  await approve(world, person.id);
  ListId = await list();
});
afterEach(agree);
afterAll(() => world.stop());

const list = async () =>
  (await person.api(contactLists.create, { body: { title: 'Guests', type: 'regular' } })).id;
const phone = () => `+7916400${String(++n).padStart(4, '0')}`;
const add = async (more: object = {}, to = ListId) =>
  (await person.api(contacts.create, { body: { ListId: to, phone: phone(), ...more } as never }))
    .id;
const message = (text: string) => ({ do: 'message', type: 'sms', sender: 'MIRTEA', text });
const wait = (amount: number, unit: string) => ({ do: 'wait', amount, unit });
const bodyOf = (steps: object[], trigger: object = { when: 'listed', ListId }) => ({
  title: 'Welcome',
  timeZone: 'Europe/Moscow',
  isActive: true,
  trigger,
  steps,
});
const create = (
  steps: object[],
  trigger?: object,
  more: object = {},
  who = person,
): Promise<Automation> =>
  who.api(automations.create, { body: { ...bodyOf(steps, trigger), ...more } as never });
const get = (id: string) => person.api(automations.get, { params: { id } });
const update = (id: string, body: object, who = person) =>
  who.api(automations.update, { params: { id }, body: body as never });
const counts = (id: string) => person.api(automations.counts, { params: { id } });
const runs = async (id: string) =>
  (await person.api(automations.runs, { params: { id }, query: { limit: 100 } })).data;
const service = <T>(of: abstract new (...args: never[]) => T, api = apis[0]!): T =>
  api.get<T>(of as never, { strict: false });
/** Whatever a test does, people, their steps and messages agree. */
async function agree(): Promise<void> {
  expect(await verifyAutomations(world.db)).toEqual([]);
}
/** Until nothing is due. */
async function work(api = apis[0]!): Promise<void> {
  await repeat(() => service(AutomationScanner, api).scan());
  await repeat(() => service(AutomationRunner, api).run());
  expect(await isDue()).toBe(false);
}
/** What has no end fails. */
async function repeat(one: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i++) if (!(await one())) return;
  throw new Error('It goes on for ever.');
}
const isDue = async () =>
  (
    await world.db.query(
      `select 1 from automation_runs r join automations a on a.id = r.automation_id
        where r.due_at <= $1 and a.is_active and a.owner_id = $2 limit 1`,
      [world.clock.now(), person.id],
    )
  ).length > 0;
/** Texts to people, in the order in which they were sent. */
async function texts(): Promise<[to: string, text: string][]> {
  const rows = await world.db.query<{ phone: string; text: string }>(
    `select phone, body as text from sendings where owner_id = $1 order by id`,
    [person.id],
  );
  return rows.map((row) => [row.phone, row.text]);
}
/** What its account was told about pauses. */
const pauses = async () =>
  (
    await person.api(notifications.find, { query: { filter: { type: ['AutomationPaused'] } } })
  ).data.map(({ data }) => data);
const said = async () => (await texts()).map(([, text]) => text);
const write = async (from: string, text: string) => {
  await service(RepliesService).receive(
    { type: 'sms', from, to: 'MIRTEA', payload: { text } },
    { OwnerId: person.id, channel: 'simulator', webhookId: `${from} ${text} ${++n}` },
  );
  await repeat(() => service(InboundRoutingService).route());
};
/** Puts the clock forward to a time. */
const goTo = (at: string) =>
  world.clock.forward((Date.parse(at) - world.clock.now().getTime()) / 1000);
/** A day and time in a year that has not come yet. */
function next(month: number, day: number, isYear: (year: number) => boolean = () => true): string {
  const now = world.clock.now();
  for (let year = now.getUTCFullYear(); ; year++) {
    const at = Date.UTC(year, month - 1, day);
    if (at > now.getTime() + 2 * DAY * 1000 && isYear(year))
      return new Date(at).toISOString().slice(0, 10);
  }
}
const isLeap = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29;

test('is created as a draft, started, paused, changed and removed', async () => {
  const { id, ...draft } = await create([message('Hi'), wait(1, 'days')], undefined, {
    isActive: false,
  });
  expect(draft).toMatchObject({ isActive: false, startedAt: null, entered: 0, reason: null });
  expect(draft.steps.map((step) => step.id)).toEqual([1, 2]);
  await add();
  const started = await update(id, { isActive: true });
  expect(started).toMatchObject({ isActive: true, startedAt: expect.any(String) });
  expect(await update(id, { isActive: false })).toMatchObject({
    isActive: false,
    startedAt: started.startedAt,
  });
  expect((await person.api(automations.find)).data.map((row) => row.id)).toEqual([id]);
  const changed = await update(id, { steps: [draft.steps[1], message('Later')] });
  expect(changed.steps.map((step) => [step.id, step.do])).toEqual([
    [2, 'wait'],
    [3, 'message'],
  ]);
  await work();
  expect(await texts()).toEqual([]);
  const stranger = await world.person();
  await expect(update(id, { title: 'Mine' }, stranger)).rejects.toMatchObject({ status: 404 });
  await person.api(automations.remove, { params: { id } });
  await expect(get(id)).rejects.toMatchObject({ status: 404 });
});

test('refuses what could not work', async () => {
  const stranger = await world.person();
  const foreign = await stranger.api(contactLists.create, {
    body: { title: 'x', type: 'regular' },
  });
  const black = await person.api(contactLists.create, { body: { title: 'x', type: 'blacklist' } });
  const own = { ListId: foreign.id };
  const wrong: [object[], object?][] = [
    [[]],
    [Array.from({ length: 11 }, () => wait(1, 'days'))],
    [[wait(366, 'days')]],
    [[wait(0, 'days')]],
    [[{ do: 'tag' }]],
    [[message('')]],
    [[message('Hi {nobody}')]],
    [[{ ...message('Hi'), sender: 'NOBODY' }]],
    [[{ ...message('Hi'), type: 'flashcall' }]],
    [[{ do: 'template', TemplateId: ListId }]],
    [[wait(1, 'days')], { when: 'listed', ...own }],
    [[wait(1, 'days')], { when: 'listed', ListId: black.id }],
    [[wait(1, 'days')], { when: 'segment', SegmentId: ListId }],
    [[wait(1, 'days')], { when: 'date', field: 'phone', time: '09:00' }],
    [[wait(1, 'days')], { when: 'date', field: 'date', time: '24:00' }],
    [[wait(1, 'days')], { when: 'date', field: 'date', time: '09:00', ...own }],
    [[wait(1, 'days')], { when: 'silence', days: 0 }],
    [[wait(1, 'days')], { when: 'keyword', keywords: [] }],
    [[wait(1, 'days')], { when: 'never' }],
  ];
  for (const [steps, trigger] of wrong)
    await expect(create(steps, trigger), JSON.stringify([steps, trigger])).rejects.toMatchObject({
      status: 422,
    });
  await expect(create([wait(1, 'days')], undefined, { timeZone: 'Mars' })).rejects.toMatchObject({
    status: 422,
  });
});

test('a message that would be refused is told by the field of its step', async () => {
  const refused = (step: object) =>
    create([message('One'), wait(1, 'days'), step]).catch((error: ApiError) => [
      error.code,
      error.body.data?.map(({ field, type }) => [field, type]),
    ]);
  expect(await refused({ ...message('Hi'), sender: 'NOBODY' })).toEqual([
    'sender_not_approved',
    [['steps.2.sender', 'sender_not_approved']],
  ]);
  expect(await refused(message('Hi {nobody}'))).toEqual([
    'validation',
    [['steps.2.text', expect.any(String)]],
  ]);
});

test('who is added to a list enters once, in whatever way, and each step is taken once', async () => {
  const before = await add();
  const { id } = await create([
    message('Welcome, {firstName|friend}!'),
    wait(3, 'days'),
    { do: 'tag', add: ['welcomed'] },
    message('Still here?'),
  ]);
  const anna = await add({ phone: '+79165000001', firstName: 'Anna' });
  await add({ phone: '+79165000002' }, await list());
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7916600' || lpad(n::text, 4, '0') from generate_series(1, 250) n`,
    [ListId],
  );
  await work();
  const first = await texts();
  expect(first).toHaveLength(251);
  expect(first).toContainEqual(['+79165000001', 'Welcome, Anna!']);
  expect(first).toContainEqual(['+79166000250', 'Welcome, friend!']);
  expect(await get(id)).toMatchObject({ entered: 251, done: 0 });
  expect(await counts(id)).toMatchObject({
    waiting: 251,
    steps: [{ taken: 251, waiting: 0 }, { taken: 251, waiting: 251 }, { taken: 0 }, { taken: 0 }],
  });
  world.clock.forward(3 * DAY - 60);
  await work();
  expect(await texts()).toHaveLength(251);
  world.clock.forward(120);
  await work();
  expect(await texts()).toHaveLength(502);
  const { tags } = await person.api(contacts.get, { params: { id: anna } });
  expect(tags).toEqual(['welcomed']);
  expect((await person.api(contacts.get, { params: { id: before } })).tags).toEqual([]);
  expect(await get(id)).toMatchObject({ entered: 251, done: 251 });
  // Removed and added again.
  await person.api(contacts.remove, { params: { id: anna } });
  await add({ phone: '+79165000001' });
  await work();
  expect(await texts()).toHaveLength(502);
  const [run] = await runs(id);
  expect(run).toMatchObject({ state: 'done', taken: [1, 2, 3, 4], dueAt: null, code: null });
});

test('several workers at once take each step of each person once', async () => {
  const { id } = await create([message('One'), message('Two'), wait(1, 'hours'), message('Three')]);
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7916700' || lpad(n::text, 4, '0') from generate_series(1, 300) n`,
    [ListId],
  );
  const both = async () => {
    const results = await Promise.all(
      [...apis, ...apis].map((api) => service(AutomationRunner, api).run()),
    );
    return results.some(Boolean) || (await isDue());
  };
  await repeat(both);
  world.clock.forward(3601);
  await repeat(both);
  const sent = await texts();
  expect(sent).toHaveLength(900);
  expect(new Set(sent.map((pair) => pair.join())).size).toBe(900);
  expect(await get(id)).toMatchObject({ entered: 300, done: 300 });
});

test('a worker that is killed before the commit leaves nothing, and the next takes the step', async () => {
  const { id } = await create([message('One')]);
  await add();
  const store = service(AutomationsStore);
  const spy = vi.spyOn(store, 'replace').mockRejectedValue(new Error('killed'));
  await service(AutomationRunner).run();
  spy.mockRestore();
  expect(await texts()).toEqual([]);
  expect(await runs(id)).toMatchObject([{ state: 'waiting', taken: [] }]);
  expect(await get(id)).toMatchObject({ entered: 0 });
  world.clock.forward(61);
  await work(apis[1]);
  expect(await said()).toEqual(['One']);
  expect(await get(id)).toMatchObject({ entered: 1, done: 1, failed: 0 });
});

test('a step that fails for an hour is given up, and the others go on', async () => {
  const { id } = await create([{ do: 'tag', add: ['seen'] }]);
  await add();
  await world.db.query(`update automation_runs set tries = 59 where automation_id = $1`, [id]);
  const store = service(AutomationRunsStore);
  const spy = vi.spyOn(store, 'write').mockRejectedValue(new Error('no luck'));
  await service(AutomationRunner).run();
  spy.mockRestore();
  expect(await runs(id)).toMatchObject([{ state: 'failed', code: 'internal', dueAt: null }]);
  await add();
  await work();
  expect(await get(id)).toMatchObject({ entered: 2, failed: 1, done: 1 });
});

test('who replies is left alone', async () => {
  const { id } = await create([
    message('Tea?'),
    wait(1, 'days'),
    { do: 'stop', if: 'replied' },
    message('Tea!'),
  ]);
  await add({ phone: '+79165000011' });
  await add({ phone: '+79165000012' });
  await work();
  await write('+79165000011', 'yes');
  world.clock.forward(DAY + 1);
  await work();
  expect((await texts()).filter(([, text]) => text === 'Tea!')).toEqual([['+79165000012', 'Tea!']]);
  expect(await get(id)).toMatchObject({ stopped: 1, done: 1 });
});

test('a birthday is greeted on its day, by the clocks of the time zone, once a year', async () => {
  const day = next(6, 15);
  const greeting = { when: 'date', field: 'date', time: '09:30' };
  await add({ phone: '+79165000021', date: `1990-${day.slice(5)}` });
  await add({ phone: '+79165000022', date: '1990-06-16' });
  await add({ phone: '+79165000023', custom03: day.slice(8) + '.06.1980' });
  await add({ phone: '+79165000024', custom03: 'in June' });
  goTo(`${day}T05:00:00Z`);
  const { id } = await create([message('Happy birthday!')], greeting);
  const own = await create([message('Name day!')], { ...greeting, field: 'custom03', ListId });
  expect(await get(id)).toMatchObject({ nextScanAt: `${day}T06:30:00.000Z` });
  await work();
  expect(await texts()).toEqual([]);
  goTo(`${day}T06:30:01Z`);
  for (let i = 0; i < 2; i++) await work();
  expect((await texts()).toSorted()).toEqual([
    ['+79165000021', 'Happy birthday!'],
    ['+79165000023', 'Name day!'],
  ]);
  await person.api(automations.remove, { params: { id: own.id } });
  const nextYear = day.replace(/^\d+/, (year) => String(Number(year) + 1));
  goTo(`${nextYear}T05:00:00Z`);
  await work();
  expect(await get(id)).toMatchObject({ entered: 1, nextScanAt: `${nextYear}T06:30:00.000Z` });
  goTo(`${nextYear}T06:30:01Z`);
  await work();
  expect(await get(id)).toMatchObject({ entered: 2 });
});

test('a look that was missed for less than a day is made up for, another is not', async () => {
  const day = next(5, 10);
  await add({ date: '1990-05-10' });
  await add({ date: '1990-05-13' });
  goTo(`${day}T05:00:00Z`);
  const { id } = await create([message('Hi')], { when: 'date', field: 'date', time: '09:30' });
  world.clock.forward(DAY);
  await work();
  expect(await get(id)).toMatchObject({ entered: 1 });
  world.clock.forward(4 * DAY);
  await work();
  expect(await get(id)).toMatchObject({ entered: 1 });
});

test('February 29 is the 28th in other years', async () => {
  await add({ phone: '+79165000031', date: '1992-02-29' });
  await add({ phone: '+79165000032', date: '1992-02-28' });
  const at = (day: string) => goTo(`${day}T06:00:00Z`);
  at(next(2, 28, (year) => !isLeap(year)));
  const trigger = { when: 'date', field: 'date', time: '09:30' };
  const { id } = await create([message('Happy birthday!')], trigger);
  world.clock.forward(3600);
  await work();
  expect(await get(id)).toMatchObject({ entered: 2 });
  await update(id, { isActive: false });
  at(next(2, 28, isLeap));
  await update(id, { isActive: true });
  world.clock.forward(3600);
  await work();
  expect(await get(id)).toMatchObject({ entered: 3 });
  world.clock.forward(DAY);
  await work();
  expect(await get(id)).toMatchObject({ entered: 4 });
  expect((await texts()).map(([to]) => to)).toEqual([
    ...(await texts()).slice(0, 2).map(([to]) => to),
    '+79165000032',
    '+79165000031',
  ]);
});

test('a keyword lets a person enter once a day, and nobody twice at a time', async () => {
  const keyword = { when: 'keyword', keywords: ['tea please'], mode: 'contains' };
  const { id } = await create([message('Oolong?'), wait(30, 'hours'), message('Assam?')], keyword);
  await add({ phone: '+79165000041', firstName: 'Anna' });
  goTo(next(7, 1) + 'T06:00:00Z');
  await write('+79165000041', 'Tea, PLEASE!');
  await write('+79165000041', 'tea please');
  await write('+79165000042', 'tea please');
  await write('+79165000043', 'coffee');
  await write('BANK', 'tea please');
  await work();
  expect((await texts()).toSorted()).toEqual([
    ['+79165000041', 'Oolong?'],
    ['+79165000042', 'Oolong?'],
  ]);
  world.clock.forward(DAY);
  await write('+79165000041', 'tea please');
  await work();
  expect(await texts()).toHaveLength(2);
  world.clock.forward(DAY);
  await work();
  await write('+79165000041', 'tea please');
  await work();
  expect(await said()).toEqual(['Oolong?', 'Oolong?', 'Assam?', 'Assam?', 'Oolong?']);
  expect(await get(id)).toMatchObject({ entered: 3, done: 2 });
});

test('a message that is added by a call lets only enter what its caller may do', async () => {
  const { id } = await create([message('Oolong?')], { when: 'keyword', keywords: ['tea'] });
  const call = async (permissions: string[]) => {
    const { token } = await person.api(tokens.create, {
      body: { description: 'Adds', permissions: permissions as never },
    });
    await world.client(token)(sendingsIncoming.create, {
      body: { type: 'sms', from: phone(), to: 'MIRTEA', payload: { text: 'tea' } },
    });
    await repeat(() => service(InboundRoutingService).route());
    await work();
    return (await get(id)).entered;
  };
  const may = ['sendingsIncoming.create', 'sendingsIncoming.get'];
  expect(await call(may)).toBe(0);
  expect(await call([...may, 'sendings.generate'])).toBe(1);
});

test('who becomes a member of a segment enters once; members of the start do not', async () => {
  const { id: SegmentId } = await person.api(segments.create, {
    body: { title: 'Regulars', where: { tag: 'regular' } },
  });
  await add({ tags: ['regular'] });
  const late = await add({ phone: '+79165000051' });
  const { id } = await create([message('Hello, regular')], { when: 'segment', SegmentId });
  await work();
  expect(await get(id)).toMatchObject({ entered: 0 });
  expect(await runs(id)).toEqual([]);
  const tag = (change: object) =>
    person.api(contacts.tag, { body: { ids: [late], ...change } as never });
  await tag({ add: ['regular'] });
  await work();
  expect(await get(id)).toMatchObject({ entered: 0 });
  world.clock.forward(901);
  await work();
  await tag({ remove: ['regular'] });
  world.clock.forward(901);
  await work();
  await tag({ add: ['regular'] });
  world.clock.forward(91 * DAY);
  await service(AutomationScanner).deleteOld();
  await work();
  expect(await texts()).toEqual([['+79165000051', 'Hello, regular']]);
  expect(await get(id)).toMatchObject({ entered: 1, done: 1 });
  expect(await runs(id)).toEqual([]);
});

test('a message without a reply lets a person enter, once until they write', async () => {
  const send = (to: string) =>
    person.api(sendings.create, {
      body: { type: 'sms', recipient: to, payload: { sender: 'MIRTEA', text: 'Tea?' } },
    });
  await send('+79165000063');
  world.clock.forward(10);
  const { id } = await create([message('Still there?')], { when: 'silence', days: 2 });
  world.clock.forward(10);
  await send('+79165000061');
  await send('+79165000062');
  world.clock.forward(10);
  await write('+79165000062', 'yes');
  world.clock.forward(2 * DAY - 3600);
  await work();
  expect(await get(id)).toMatchObject({ entered: 0 });
  world.clock.forward(2 * 3600);
  await work();
  expect((await runs(id)).map(({ address }) => address)).toEqual(['+79165000061']);
  expect((await said()).filter((text) => text === 'Still there?')).toHaveLength(1);
  // Its own message has no reply, either.
  world.clock.forward(3 * DAY);
  await work();
  expect(await get(id)).toMatchObject({ entered: 1 });
  await write('+79165000061', 'no');
  world.clock.forward(60);
  await send('+79165000061');
  world.clock.forward(3 * DAY);
  await work();
  expect(await get(id)).toMatchObject({ entered: 2 });
});

test('a message that is refused is counted by its reason, and the next step is taken', async () => {
  const { id } = await create([message('One {custom01}'), { do: 'tag', add: ['told'] }]);
  await add({ phone: '+79165000071', custom01: 'x' });
  await add({ phone: '+79165000072' });
  await add({ phone: undefined, email: 'anna@example.com' });
  await add({ phone: '+79165000073', custom01: 'x' });
  await person.api(suppressions.create, { body: { address: '+79165000073' } });
  await work();
  expect(await said()).toHaveLength(1);
  expect((await counts(id)).steps).toEqual([
    { id: 1, taken: 4, held: { no_value: 1, no_address: 1, unsubscribed: 1 }, waiting: 0 },
    { id: 2, taken: 4, held: {}, waiting: 0 },
  ]);
});

test('a template with a fallback is refused by what is left of it, as a bulk is', async () => {
  const fallback = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'By SMS' },
    options: { onStatus: ['failed'] },
  };
  const body = {
    title: 'Tea',
    type: 'viber',
    payload: { sender: 'MIRTEA', text: 'By Viber' },
    fallbacks: [fallback],
  };
  const { id: TemplateId } = await person.api(templates.create, { body: body as never });
  const { id } = await create([{ do: 'template', TemplateId }]);
  const [viber, both, all, none] = [phone(), phone(), phone(), phone()];
  const refuse = (address: string, type: 'viber' | 'sms' | null) =>
    person.api(suppressions.create, { body: { address, type } });
  await refuse(viber, 'viber');
  for (const type of ['viber', 'sms'] as const) await refuse(both, type);
  await refuse(all, null);
  for (const address of [viber, both, all, none]) await add({ phone: address });
  await work();
  expect((await texts()).map(([to]) => to).toSorted()).toEqual([viber, none].toSorted());
  expect((await counts(id)).steps).toMatchObject([{ taken: 4, held: { unsubscribed: 2 } }]);
});

test('each attempt of a message of an automation asks for opt-outs, also in the group `service`', async () => {
  const body = {
    title: 'Order',
    type: 'viber',
    payload: { sender: 'MIRTEA', text: 'Your order is ready' },
    fallbacks: [
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'Your order is ready' },
        options: { onStatus: ['failed'] },
      },
    ],
  };
  const { id: TemplateId } = await person.api(templates.create, { body: body as never });
  await world.db.query(
    `update templates set moderation = 'approved', "group" = 'service' where id = $1`,
    [TemplateId],
  );
  const refuse = (address: string, type: 'viber' | 'sms' | null) =>
    person.api(suppressions.create, { body: { address, type } });
  const [viber, both, all] = [phone(), phone(), phone()];
  await refuse(viber, 'viber');
  const { id } = await create([{ do: 'template', TemplateId }]);
  for (const address of [viber, both, all]) await add({ phone: address });
  await work();
  expect((await counts(id)).steps).toMatchObject([{ taken: 3, held: {} }]);
  // After the messages were accepted.
  for (const type of ['viber', 'sms'] as const) await refuse(both, type);
  await refuse(all, null);
  const single = phone();
  const { title: _, ...message } = body;
  for (const type of ['viber', 'sms'] as const) await refuse(single, type);
  await person.api(sendings.create, {
    body: { ...message, recipient: single } as never,
  });

  const worker = await world.startWorker();
  const attempts = await until(async () => {
    const rows = await world.db.query<{ phone: string; type: string; error: string | null }>(
      `select s.phone, s.type, s.error from sendings s where s.owner_id = $1 and (s.failed_at is not null or s.delivered_at is not null) order by s.id`,
      [person.id],
    );
    return rows.length === 7 && rows;
  }, 'the attempts').finally(() => worker.close());
  const errorsOf = (address: string) =>
    attempts.filter(({ phone }) => phone === address).map(({ error }) => error);
  expect(errorsOf(viber)).toEqual(['unsubscribed', null]);
  expect(errorsOf(both)).toEqual(['unsubscribed', 'unsubscribed']);
  expect(errorsOf(all)).toEqual(['unsubscribed', 'unsubscribed']);
  // A single of the account is what the person waits for.
  expect(errorsOf(single)).toEqual([null]);
});

test('without money it pauses; those who were not paid for get their messages later, once', async () => {
  const { id } = await create([message('One'), message('Two')]);
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [person.id]);
  await add();
  await add();
  await work();
  expect(await texts()).toEqual([]);
  expect(await get(id)).toMatchObject({
    isActive: false,
    reason: 'insufficient_funds',
    entered: 2,
    done: 0,
  });
  expect((await runs(id)).map(({ state, taken }) => [state, taken])).toEqual([
    ['waiting', []],
    ['waiting', []],
  ]);
  expect(await pauses()).toEqual([{ id, title: 'Welcome', reason: 'insufficient_funds' }]);
  await world.db.query(`update balances set balance = 1000 where owner_id = $1`, [person.id]);
  await work();
  expect(await texts()).toEqual([]);
  await update(id, { isActive: true });
  await work();
  expect((await said()).toSorted()).toEqual(['One', 'One', 'Two', 'Two']);
  expect(await get(id)).toMatchObject({ isActive: true, reason: null, entered: 2, done: 2 });
  expect(await pauses()).toHaveLength(1);
});

test('a spend cap that is reached pauses it, too', async () => {
  await person.api(spendCaps.set, { body: { day: 0, month: null, timeZone: 'UTC' } });
  const { id } = await create([message('One')]);
  await add();
  await work();
  const reason = 'spend_cap_reached';
  expect(await get(id)).toMatchObject({ isActive: false, reason, entered: 1, done: 0 });
  expect(await pauses()).toEqual([{ id, title: 'Welcome', reason }]);
  await person.api(spendCaps.set, { body: { day: null, month: null, timeZone: 'UTC' } });
  await update(id, { isActive: true });
  await work();
  expect(await said()).toEqual(['One']);
});

test('without its list, segment or template it pauses, and starts with another one', async () => {
  const segment = await person.api(segments.create, {
    body: { title: 'Regulars', where: { tag: 'regular' } },
  });
  const body = { title: 'Tea', type: 'sms', payload: { sender: 'MIRTEA', text: 'Tea' } } as const;
  const template = await person.api(templates.create, { body });
  const steps = [message('Hi')];
  const rows = [
    await create(steps),
    await create(steps, { when: 'date', field: 'date', time: '09:30', ListId }),
    await create(steps, { when: 'segment', SegmentId: segment.id }),
    await create([{ do: 'template', TemplateId: template.id }], { when: 'silence', days: 3 }),
  ];
  const other = await list();
  const untouched = [
    await create(steps, { when: 'listed', ListId: other }),
    await create(steps, { when: 'date', field: 'date', time: '09:30' }),
  ];
  const scanner = service(AutomationScanner);
  const noted = async () => {
    const found = await world.db.query<{ id: string }>(
      `select automation_id as id from automations_lacking l join automations a on a.id = l.automation_id where a.owner_id = $1`,
      [person.id],
    );
    return found.map(({ id }) => id).toSorted();
  };
  const idsOf = (of: Automation[]) => of.map(({ id }) => id).toSorted();
  expect(await noted()).toEqual(idsOf([...rows, ...untouched]));
  expect(await scanner.pauseLacking()).toBe(false);
  expect(await noted()).toEqual([]);
  expect(await pauses()).toEqual([]);
  await person.api(contactLists.remove, { params: { id: ListId } });
  await person.api(segments.remove, { params: { id: segment.id } });
  await person.api(templates.remove, { params: { id: template.id } });
  expect(await noted()).toEqual(idsOf(rows));
  for (let i = 0; i < 2; i++) await scanner.pauseLacking();
  expect(await noted()).toEqual([]);
  const states = (of: Automation[]) =>
    Promise.all(of.map(async ({ id }) => (await get(id)).reason ?? 'runs'));
  expect(await states(rows)).toEqual(rows.map(() => 'removed'));
  expect(await states(untouched)).toEqual(['runs', 'runs']);
  expect((await pauses()).map(({ id }) => id).toSorted()).toEqual(idsOf(rows));
  for (const { id } of rows)
    await expect(update(id, { isActive: true })).rejects.toMatchObject({ status: 422 });
  const trigger = { when: 'listed', ListId: other };
  expect(await update(rows[0]!.id, { isActive: true, trigger })).toMatchObject({ reason: null });
});

test('who needs what is removed is found by an index', async () => {
  await create([message('Hi')]);
  const plan = await world.db.transaction(async () => {
    await world.db.query(`set local enable_seqscan = off`);
    return world.db.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) select id from automations where is_active and automation_needs(trigger, steps) && array['${ListId}']`,
    );
  });
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Bitmap Index Scan on automations_needs');
  expect(text).not.toContain('Seq Scan');
});

test('a template is sent as it is then; without it nobody passes its step', async () => {
  const body = { title: 'Tea', type: 'sms', payload: { sender: 'MIRTEA', text: 'Old' } } as const;
  const { id: TemplateId } = await person.api(templates.create, { body });
  const { id } = await create([{ do: 'template', TemplateId }]);
  const payload = { sender: 'MIRTEA', text: 'New {firstName|you}' };
  await person.api(templates.update, { params: { id: TemplateId }, body: { payload } });
  await add({ firstName: 'Anna' });
  await work();
  expect(await said()).toEqual(['New Anna']);
  await person.api(templates.remove, { params: { id: TemplateId } });
  await add();
  await work();
  expect((await counts(id)).steps).toMatchObject([{ taken: 1, held: {} }]);
  expect(await get(id)).toMatchObject({ isActive: false, reason: 'removed', entered: 2, done: 1 });
  expect(await pauses()).toEqual([{ id, title: 'Welcome', reason: 'removed' }]);
});

test('a message waits for the end of quiet hours', async () => {
  goTo(next(8, 1) + 'T19:30:00Z');
  await person.api(quietHours.update, {
    body: {
      isActive: true,
      from: 1320,
      until: 540,
      groups: ['advertising'],
      singles: false,
      timeZone: 'Europe/Moscow',
    } as never,
  });
  world.clock.forward(2);
  const { id } = await create([message('Good morning')]);
  await add({ phone: '+79161000081' });
  await work();
  expect(await texts()).toEqual([]);
  const [run] = await runs(id);
  expect(run).toMatchObject({
    state: 'waiting',
    taken: [],
    dueAt: expect.stringMatching(/T06:00/),
  });
  world.clock.forward(11 * 3600);
  await work();
  expect(await said()).toEqual(['Good morning']);
  expect(await get(id)).toMatchObject({ entered: 1, done: 1 });
});

test('a message waits for the quiet hours of its country, also where the account has none', async () => {
  goTo(next(8, 1) + 'T19:30:00Z');
  // Set as by the environment: the world has one configuration.
  world.config.COUNTRY_QUIET_HOURS = ['RU 22:00-09:00'];
  try {
    await create([message('Good morning')]);
    await add({ phone: '+79161000082' });
    await work();
    expect(await texts()).toEqual([]);
    world.clock.forward(11 * 3600);
    await work();
    expect(await said()).toEqual(['Good morning']);
  } finally {
    world.config.COUNTRY_QUIET_HOURS = [];
  }
});

test('steps can be changed while people wait: none is taken twice', async () => {
  const { id, steps } = await create([message('One'), wait(1, 'days'), message('Two')]);
  await add();
  await work();
  await update(id, { steps: [message('Zero'), steps[0], steps[1], message('New'), steps[2]] });
  world.clock.forward(DAY + 1);
  await work();
  expect(await said()).toEqual(['One', 'New', 'Two']);
  expect((await counts(id)).steps.map((step) => [step.id, step.taken])).toEqual([
    [4, 0],
    [1, 1],
    [2, 1],
    [5, 1],
    [3, 1],
  ]);
});

test('who is moved or copied into a list enters, and goes on when moved out of it', async () => {
  const { id } = await create([message('One'), wait(1, 'hours'), message('Two')]);
  const other = await list();
  const moved = await add({}, other);
  const copied = await add({}, other);
  const move = (ids: string[], to: string, copy = false) =>
    person.api(contacts.move, { body: { ids, to, copy } });
  await move([moved], ListId);
  await move([copied], ListId, true);
  await work();
  expect(await said()).toEqual(['One', 'One']);
  await move([moved], other);
  world.clock.forward(3601);
  await work();
  expect(await said()).toEqual(['One', 'One', 'Two', 'Two']);
  // Nobody enters twice.
  await move([moved], ListId);
  await work();
  expect(await get(id)).toMatchObject({ entered: 2, done: 2, left: 0 });
});

test('a pause holds those who have entered, and lets nobody in', async () => {
  const { id } = await create([wait(1, 'hours'), message('One')]);
  await add();
  await work();
  await update(id, { isActive: false });
  await add();
  world.clock.forward(2 * 3600);
  await work();
  expect(await texts()).toEqual([]);
  await update(id, { isActive: true });
  await work();
  expect(await said()).toEqual(['One']);
  expect(await get(id)).toMatchObject({ entered: 1, done: 1 });
});

test('a contact that was removed gets nothing more', async () => {
  const { id } = await create([wait(1, 'hours'), message('One')]);
  const gone = await add();
  await work();
  await person.api(contacts.remove, { params: { id: gone } });
  world.clock.forward(3601);
  await work();
  expect(await texts()).toEqual([]);
  expect(await get(id)).toMatchObject({ left: 1, done: 0 });
  expect(await runs(id)).toMatchObject([{ state: 'left', taken: [1], dueAt: null }]);
});

test('a person who is erased leaves nothing, and gets nothing more', async () => {
  const { id } = await create([wait(1, 'hours'), message('One')]);
  await add({ phone: '+79165000091' });
  await add({ phone: '+79165000092' });
  await work();
  await person.api(persons.erase, { body: { address: '+79165000091' } });
  const [{ id: erasureId }] = (await world.db.query(`select id from erasures where owner_id = $1`, [
    person.id,
  ])) as [{ id: string }];
  await service(PersonsService).run({ erasureId });
  expect((await runs(id)).map(({ address }) => address)).toEqual(['+79165000092']);
  world.clock.forward(3601);
  await work();
  expect((await texts()).map(([to]) => to)).toEqual(['+79165000092']);
});

test('it acts with the rights of who changed it last, and pauses without them', async () => {
  const permissions = [
    'automations.create',
    'contactLists.get',
    'sendings.generate',
    'automations.update',
  ];
  const { id: tokenId, token } = await person.api(tokens.create, {
    body: { description: 'Automates', permissions: permissions as never },
  });
  const limited = { ...person, api: world.client(token) };
  const { id } = await create([message('One')], undefined, {}, limited);
  await expect(limited.api(automations.runs, { params: { id } })).rejects.toMatchObject({
    status: 403,
  });
  await add();
  await person.api(tokens.remove, { params: { id: tokenId } });
  await work();
  expect(await texts()).toEqual([]);
  expect(await get(id)).toMatchObject({ isActive: false, reason: 'forbidden' });
  expect(await pauses()).toEqual([{ id, title: 'Welcome', reason: 'rights' }]);
  expect(await update(id, { isActive: true })).toMatchObject({ isActive: true, reason: null });
  await work();
  expect(await said()).toEqual(['One']);
});

test('an account that is suspended sends nothing, and goes on later', async () => {
  await create([message('One')]);
  await add();
  await world.db.query(`update users set is_active = false where id = $1`, [person.id]);
  await service(AutomationRunner).run();
  expect(await texts()).toEqual([]);
  await world.db.query(`update users set is_active = true where id = $1`, [person.id]);
  await work();
  expect(await said()).toEqual(['One']);
});

test('what ended long ago is deleted', async () => {
  const { id } = await create([message('One')]);
  await add();
  await work();
  world.clock.forward(91 * DAY);
  expect(await service(AutomationScanner).deleteOld()).toBe(false);
  expect(await runs(id)).toEqual([]);
  expect(await get(id)).toMatchObject({ entered: 1, done: 1 });
});

test('cli verify finds what does not agree', async () => {
  const { id } = await create([message('One'), wait(1, 'days'), message('Two')]);
  await add();
  await add();
  await work();
  const of = `where automation_id = '${id}'`;
  const broken: Record<string, string[]> = {
    'an automation has counted fewer people than it has': [
      `update automations set counts = counts || '{"entered": 1}' where id = '${id}'`,
      `update automation_runs set state = 'done', due_at = null, ended_at = now() ${of}`,
    ],
    'a step of an automation was taken by more people than it has counted': [
      `update automation_runs set taken = '{1,2,3}' ${of}`,
    ],
    'a person takes a step of an automation once': [
      `update automation_runs set taken = '{1,2,1}' ${of}`,
      `update automation_runs set taken = '{1,4}' ${of}`,
    ],
    'who has passed a message of an automation has it, or the reason why not': [
      `update automation_runs set sending_id = null ${of}`,
    ],
    'a message of an automation belongs to a step that one person has taken, and to the account': [
      `update automation_runs set taken = '{}' ${of}`,
      `update automation_runs set sending_id = (select min(id::text)::uuid from sendings where owner_id = '${person.id}') ${of}`,
      `update sendings set owner_id = uuidv7() where owner_id = '${person.id}'`,
    ],
    'a person in an automation waits for a step, or has come to an end': [
      `update automation_runs set state = 'done' ${of}`,
    ],
    'an automation that is paused looks for nobody, and one that runs has no reason not to': [
      `update automations set reason = 'forbidden' where id = '${id}'`,
      `update automations set is_active = false, next_scan_at = now() where id = '${id}'`,
    ],
  };
  for (const [rule, statements] of Object.entries(broken))
    for (const sql of statements) expect(await findings(sql), sql).toContain(rule);
});

class Broken extends Error {
  constructor(readonly found: string[]) {
    super();
  }
}

/** What is found while the data is broken; the change is taken back. */
const findings = (sql: string): Promise<string[]> =>
  world.db
    .transaction(async (): Promise<string[]> => {
      expect(await world.db.execute(sql)).toBeGreaterThan(0);
      throw new Broken((await verifyAutomations(world.db)).map(({ what }) => what));
    })
    .catch((error: unknown) => {
      if (error instanceof Broken) return error.found;
      throw error;
    });
