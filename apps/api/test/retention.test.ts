import {
  ADMINISTRATOR_GRANTS,
  conversations,
  persons,
  sendings,
  sendingsIncoming,
  storage,
  tasks,
  templates,
} from '@heliograph/contract';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Notifications } from '../src/core/notifications.ts';
import { Retention } from '../src/core/retention.ts';
import { hasTextSql } from '../src/features/links/click-codes.service.ts';
import { IncomingService } from '../src/features/sendings-incoming/sendings-incoming.service.ts';
import { DeadlinesService } from '../src/features/sendings/fallbacks/deadlines.service.ts';
import { requestErasure, erasePerson } from '../src/features/sendings/persons/erase-person.ts';
import { TextsService } from '../src/features/sendings/reports/texts.service.ts';
import { TextsStore } from '../src/features/sendings/reports/texts.store.ts';
import { StorageJobs } from '../src/features/storage/storage.jobs.ts';
import { TaskSweepsService } from '../src/features/tasks/task-sweeps.service.ts';
import { TelemetryService } from '../src/features/telemetry/telemetry.service.ts';
import { approve, balance, contactList, finished, problems, setCarrier } from './factories.ts';
import { raw } from './raw.ts';
import { scene } from './scene.ts';
import { type Person, until, World } from './world.ts';

const DAY = 86_400;
const PHONE = '+79020000777';
let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ RETENTION_FILES_DAYS: '30' });
  await setCarrier(world, {});
  owner = await world.person();
  await approve(world, owner.id);
});
afterAll(() => world.stop());

const of = <T>(type: new (...parts: never[]) => T): T => world.api.get(type, { strict: false });
/** Messages are sent by a worker that stops before the clock moves: its sweeps would delete what the tests are about to delete. */
async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await world.startWorker();
  return work().finally(() => worker.close());
}
const count = async (from: string) =>
  (await world.db.query<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;

const fallbacks = [
  {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'By SMS, {firstName}' },
    options: { onStatus: ['failed'] },
  },
];
async function bulk(): Promise<string> {
  const list = await contactList(world, owner.id, 3);
  const payload = { sender: 'MIRTEA', text: 'Hello {firstName|friend}' };
  const recipient = { include: [list, PHONE] };
  const body = { type: 'viber', recipient, payload, fallbacks };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await finished(owner, id);
  return id;
}
const allClosed = () =>
  until(async () => {
    await of(DeadlinesService).close();
    return (await count(`batches where closed_at is null`)) === 0;
  }, 'nothing to be open');
const said = `num_nonnulls(body, vars, data->'payload') > 0`;

test('texts are deleted a year after the end of their message; the message, its amounts and counts stay', async () => {
  const payload = { sender: 'MIRTEA', text: 'Your code is 1234' };
  const body = { type: 'viber', recipient: PHONE, payload, fallbacks, callbackData: 'order 7' };
  const { id, open, single } = await withWorker(async () => {
    const [id, open] = [await bulk(), await bulk()];
    const single = (await owner.api(sendings.create, { body: body as never })) as { id: string };
    await allClosed();
    return { id, open, single };
  });
  // The second one has been paused all the time.
  await world.db.query(`update tasks set state = 'paused', finished_at = null where id = $1`, [
    open,
  ]);
  const of2 = `sendings where group_id = '${open}'`;
  const before = await owner.api(tasks.get, { params: { id } });
  const money = await balance(world, owner.id);

  const sweep = async () => {
    while (await of(TextsService).deleteOld());
    while (await of(TaskSweepsService).dropTexts());
  };
  world.clock.forward(364 * DAY);
  await sweep();
  expect(await count(`sendings where ${said}`)).toBe(9);

  world.clock.forward(2 * DAY);
  // Whatever ends it in the middle, nothing of the piece was done.
  await world.db.query(`alter table batches add constraint refused check (has_texts) not valid`);
  await expect(of(TextsService).deleteOld()).rejects.toThrow('refused');
  expect(await count(`sendings where ${said}`)).toBe(9);
  await world.db.query(`alter table batches drop constraint refused`);

  await sweep();
  expect(await count(`sendings where ${said}`)).toBe(4);
  expect(await count(`${of2} and ${said}`)).toBe(4);
  expect(
    await count(`batches where not has_texts and (plan is not null or task_id = '${open}')`),
  ).toBe(0);
  expect(await count(`task_phones where task_id = '${id}'`)).toBe(0);
  expect(await count(`task_phones where task_id = '${open}'`)).toBe(1);
  const task = await owner.api(tasks.get, { params: { id } });
  expect(task).toEqual({
    ...before,
    data: {
      sending: expect.objectContaining({ payload: { sender: 'MIRTEA' }, fallbacks: [] }),
      recipients: {
        include: { ...before.data.recipients!.include, recipients: [] },
        exclude: before.data.recipients!.exclude,
      },
    },
  });
  const message = await owner.api(sendings.get, { params: { id: single.id } });
  expect(message).toMatchObject({
    recipient: PHONE,
    payload: { sender: 'MIRTEA' },
    fallbacks: [],
    callbackData: 'order 7',
    state: { status: 'delivered' },
    meta: { billing: { refunded: false } },
  });
  expect(message.payload).not.toHaveProperty('text');
  const found = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  expect(found.data.map((one) => one.payload)).toEqual(Array(4).fill({ sender: 'MIRTEA' }));
  expect(await balance(world, owner.id)).toBe(money);
  await world.db.query(`update tasks set state = 'completed', finished_at = now() where id = $1`, [
    open,
  ]);
  expect(await problems(world)).toEqual([]);
  // A late report changes nothing.
  await sweep();
  expect(await count(`sendings where ${said}`)).toBe(0);
});

test('a message that keeps only its group has no text to delete, or to be clicked in', async () => {
  const messages = [
    [null, null, null, false],
    [null, null, { group: 'service' }, false],
    ['Hello', null, null, true],
    [null, { firstName: 'Ann' }, null, true],
    [null, null, { group: 'service', payload: { title: 'Hello' } }, true],
    [null, null, { parts: ['Hello'] }, true],
  ] as const;
  for (const [body, vars, data, expected] of messages) {
    const [row] = await world.db.query(
      `select ${hasTextSql('s')} as "hasText" from (select $1::text as body, $2::jsonb as vars, $3::jsonb as data) s`,
      [body, vars && JSON.stringify(vars), data && JSON.stringify(data)],
    );
    expect({ body, vars, data, ...row }).toEqual({ body, vars, data, hasText: expected });
  }

  const id = await withWorker(async () => {
    const id = await bulk();
    await allClosed();
    return id;
  });
  await world.db.query(
    `update sendings set body = null, vars = null, data = '{"group": "service"}' where group_id = $1 and phone = $2`,
    [id, PHONE],
  );
  const deleteTexts = vi.spyOn(of(TextsStore), 'deleteTexts');
  world.clock.forward(366 * DAY);
  while (await of(TextsService).deleteOld());
  const deleted = deleteTexts.mock.calls.flatMap(([ids]) => ids);
  deleteTexts.mockRestore();
  const rows = await world.db.query<{ id: string; phone: string }>(
    `select id, phone from sendings where group_id = $1 and chain_id is null`,
    [id],
  );
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(deleted.includes(row.id)).toBe(row.phone !== PHONE);
});

test('old visits, notifications, incoming messages and keys are deleted in portions', async () => {
  const its = await scene(world);
  for (const make of [its.visit, its.notification, its.incoming]) await make();
  const kinds = [
    { table: 'visits', sweep: () => of(TelemetryService).deleteOld(), days: 90 },
    { table: 'notifications', sweep: () => of(Notifications).deleteOld(), days: 90 },
    { table: 'sendings_incoming', sweep: () => of(IncomingService).deleteOld(), days: 365 },
  ];
  for (const { table, sweep, days } of kinds) {
    await world.db.query(`delete from ${table} where owner_id <> $1`, [its.owner.id]);
    const [model] = await world.db.query<{ id: string }>(`select id from ${table}`);
    // One row that stays, and more old ones than one portion.
    const age = (days: number) => new Date(world.clock.now().getTime() - days * DAY * 1000);
    const put = (moment: Date, many: number) =>
      world.db.query(
        `insert into ${table} select r.* from generate_series(1, $3) n, lateral (select (jsonb_populate_record(t,
           jsonb_build_object('id', uuidv7($2::timestamptz - now() - n * interval '1 millisecond')))).* from ${table} t
           where owner_id = $1 limit 1) r`,
        [its.owner.id, moment, many],
      );
    await put(age(days - 1), 1);
    await put(age(days + 1), 2500);
    await world.db.query(`delete from ${table} where id = $1`, [model!.id]);
    const old = await count(table);
    const first = await sweep();
    expect({ table, first, left: old - (await count(table)) }).toEqual({
      table,
      first: true,
      left: 2000,
    });
    expect(await sweep()).toBe(false);
    expect({ table, left: await count(table) }).toEqual({ table, left: 1 });
  }
  for (const hours of [25, 23])
    await world.db.query(
      `insert into idempotency_keys (owner_id, route, key, body_hash, created_at)
       values ($1, 'POST /sendings', $2, 'x', now() - make_interval(hours => $3))`,
      [its.owner.id, String(hours), hours],
    );
  expect(await of(Retention).deleteIdempotencyKeys()).toBe(false);
  expect(
    await world.db.query(`select key from idempotency_keys where owner_id = $1`, [its.owner.id]),
  ).toEqual([{ key: '23' }]);
});

test('a key that a call replaces after its time is not waited for, and stays', async () => {
  const again = `idempotency_keys where owner_id = '${owner.id}' and key = 'again'`;
  await world.db.query(
    `insert into idempotency_keys (owner_id, route, key, body_hash, created_at)
     values ($1, 'POST /sendings', 'again', 'x', now() - interval '25 hours')`,
    [owner.id],
  );
  const [replaced, swept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const call = world.hold(async () => {
    await world.db.query(
      `update idempotency_keys set created_at = now() where owner_id = $1 and key = 'again'`,
      [owner.id],
    );
    replaced.resolve();
    await swept.promise;
  });
  await replaced.promise;
  const sweep = of(Retention).deleteIdempotencyKeys();
  await sweep.finally(swept.resolve);
  await call;
  expect(await count(again)).toBe(1);
});

test('ids of carriers are deleted a year after the end of their message, in portions', async () => {
  const body = { type: 'viber', recipient: PHONE, payload: { sender: 'MIRTEA', text: 'Tea' } };
  const send = async () =>
    ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
  const [old, late] = await withWorker(async () => {
    const ids = [await send(), await send()] as const;
    await allClosed();
    return ids;
  });
  await world.db.query(
    `insert into carrier_refs (channel, external_id, sending_id)
       select 'gone', 'old-' || n, $1::uuid from generate_series(1, 2001) n union all select 'gone', 'late', $2::uuid`,
    [old, late],
  );
  const refs = () => count(`carrier_refs where channel = 'gone'`);
  world.clock.forward(364 * DAY);
  expect(await of(TextsService).deleteCarrierRefs()).toBe(false);
  expect(await refs()).toBe(2002);
  // This one was postponed, and submitted today.
  await world.db.query(
    `update batches set closed_at = $2 where id = (select batch_id from sendings where id = $1)`,
    [late, world.clock.now()],
  );
  world.clock.forward(2 * DAY);
  expect(await of(TextsService).deleteCarrierRefs()).toBe(true);
  while (await of(TextsService).deleteCarrierRefs());
  expect(await refs()).toBe(1);
});

test('retention 0 keeps all rows', async () => {
  const its = await scene(world);
  await its.visit();
  Object.assign(world.config, { RETENTION_VISITS_DAYS: 0 });
  world.clock.forward(4000 * DAY);
  const before = await count('visits');
  expect(await of(TelemetryService).deleteOld()).toBe(false);
  expect(await count('visits')).toBe(before);
});

test('old files are deleted unless a template or an open message refers to them', async () => {
  const its = await scene(world);
  const [unneeded, named, needed] = [await its.file(), await its.file(), await its.file()];
  const id = await its.template();
  await world.db.query(`update templates set payload = payload || $2 where id = $1`, [
    id,
    { image: named },
  ]);
  const { id: task } = await its.task();
  await world.db.query(
    `update tasks set data = jsonb_set(data, '{sending,payload,image}', to_jsonb($2::text)) where id = $1`,
    [task, needed],
  );
  world.clock.forward(31 * DAY);
  const fresh = await its.file();
  await world.db.query(
    `update files set id = uuidv7($2::timestamptz - now()) where id = $1 returning id`,
    [fresh, world.clock.now()],
  );
  while (await of(StorageJobs).deleteOld());
  const { data } = await its.owner.api(storage.find);
  expect(data.map((file) => file.id)).toEqual(expect.arrayContaining([named, needed]));
  expect(data).toHaveLength(3);
  const contents = (id: string) => join(world.config.FILES_DIR, id.slice(-2), id);
  expect(existsSync(contents(unneeded))).toBe(false);
  expect(existsSync(contents(named))).toBe(true);
});

describe('erasing a person', () => {
  beforeAll(async () => void (await world.startWorker()));

  const OTHER = '+79020000001';
  const erase = async (OwnerId: string, address: string) =>
    erasePerson(world.db, await requestErasure(world.db, { OwnerId, address }));
  const everywhere = async (text: string) => {
    const tables =
      `contacts sendings batches tasks task_phones templates sendings_incoming conversations conversation_notes idempotency_keys notifications
      audit_log billings contact_lists`.split(/\s+/);
    const found: string[] = [];
    for (const table of tables)
      if (await count(`${table} t where strpos(t::text, '${text}') > 0`)) found.push(table);
    return found;
  };

  test('is not found any more; counts, chains and amounts are unchanged', async () => {
    const person = await world.person();
    await approve(world, person.id);
    const bystander = await world.person();
    const list = await contactList(world, person.id, 3);
    const blacklist = await contactList(world, person.id, 1, { first: 900, type: 'blacklist' });
    const foreign = await contactList(world, bystander.id, 1, { first: 776 });
    const name = { first_name: 'Esmeralda' };
    await world.db.query(
      `update contacts set phone = $2, first_name = $3, email = 'esmeralda@tea.example'
        where id = (select id from contacts where list_id = $1 order by id limit 1)`,
      [list, PHONE, name.first_name],
    );
    await world.db.query(`update contacts set first_name = $2 where list_id = $1`, [
      blacklist,
      name.first_name,
    ]);
    const payload = { sender: 'MIRTEA', text: 'Hello {firstName|friend}' };
    const send = (recipient: unknown, headers = {}) =>
      person.api(sendings.create, {
        body: {
          type: 'viber',
          recipient,
          payload,
          fallbacks,
          callbackData: recipient === PHONE ? `of ${PHONE}` : 'a bulk',
        } as never,
        headers,
      }) as Promise<{ id: string }>;
    const { id } = await send({ include: [list] });
    await finished(person, id);
    const typed = await send({ include: [PHONE, OTHER] });
    await finished(person, typed.id);
    const single = await send(PHONE, { 'Idempotency-Key': 'erased' });
    await person.api(templates.create, {
      body: { title: 'To one', type: 'sms', payload, recipient: { include: [PHONE, OTHER] } },
    });
    await person.api(sendingsIncoming.create, {
      body: { type: 'sms', from: PHONE, to: 'TEA', payload: { text: 'Yes' } },
    });
    const { data: talks } = await person.api(conversations.find);
    await person.api(conversations.note, {
      params: { id: talks[0]!.id },
      body: { text: `Esmeralda is to be called at ${PHONE}` },
    });
    await allClosed();
    const facts = async () => ({
      money: await balance(world, person.id),
      entries: await count(`billings where owner_id = '${person.id}'`),
      messages: await count(`sendings where owner_id = '${person.id}'`),
      phones: await count(
        `(select distinct phone from sendings where owner_id = '${person.id}') p`,
      ),
      counters: (await person.api(tasks.get, { params: { id } })).meta,
    });
    const before = await facts();
    expect(await everywhere('Esmeralda')).toEqual(expect.arrayContaining(['contacts', 'sendings']));

    expect(await erase(person.id, '8 902 000-07-77')).toEqual({
      contacts: [{ ListId: list, count: 1 }],
      conversation: expect.any(String),
      incoming: 1,
      messages: 3,
      underWay: 0,
    });
    // Another account has the same phone.
    expect(await count(`contacts where list_id = '${foreign}' and phone = '${PHONE}'`)).toBe(1);
    await world.db.query(`delete from contacts where list_id = $1`, [foreign]);
    await world.db.query(`delete from sendings where owner_id = $1 and phone = $2`, [
      owner.id,
      PHONE,
    ]);
    await world.db.query(
      `delete from task_phones where task_id in (select id from tasks where owner_id = $1)`,
      [owner.id],
    );
    await world.db.query(`update tasks set data = '{}' where owner_id = $1`, [owner.id]);
    expect(await everywhere(PHONE)).toEqual([]);
    expect(await everywhere('esmeralda@tea.example')).toEqual([]);
    expect(await facts()).toEqual(before);
    expect(await count(`contact_lists where id = '${list}' and count = 2`)).toBe(1);
    const message = await person.api(sendings.get, { params: { id: single.id } });
    expect(message.recipient).toMatch(/^erased-[0-9a-f]{16}$/);
    expect(message.payload).toEqual({ sender: 'MIRTEA', recipient: message.recipient });
    const { data } = await person.api(sendings.find, { query: { filter: { groupId: typed.id } } });
    expect(data.map((one) => one.recipient).sort()).toEqual([OTHER, message.recipient]);
    const records = await world.db.query(`select * from audit_log where action = 'persons.erase'`);
    expect(records).toMatchObject([
      {
        actor_id: null,
        owner_id: person.id,
        target_type: 'persons',
        target_id: message.recipient,
      },
    ]);
    expect(await erase(person.id, PHONE)).toMatchObject({ contacts: [], messages: 0 });
  });

  test('by the API: in the own account, or in any by an administrator; a worker does it', async () => {
    const person = await world.person();
    await approve(world, person.id);
    const list = await contactList(world, person.id, 1, { first: 776 });
    const reseller = await world.person({ level: 'reseller' });
    await world.db.query(`update users set reseller_id = $2 where id = $1`, [
      person.id,
      reseller.id,
    ]);
    const administrator = await world.person({
      level: 'manager',
      grants: { add: ADMINISTRATOR_GRANTS },
    });
    const manager = await world.person({ level: 'manager' });
    const ask = (who: Person, body: object) =>
      raw(world, who, 'POST', '/persons/erase', body).then(({ status }) => status);
    const address = '8 902 000-07-77';
    expect(await ask(reseller, { address, OwnerId: person.id })).toBe(403);
    expect(await ask(manager, { address, OwnerId: person.id })).toBe(404);
    expect(await ask(person, { address: 'not-an-address' })).toBe(422);
    // Of the own account, which does not have the phone.
    expect(await ask(reseller, { address })).toBe(202);
    expect(await count(`contacts where list_id = '${list}'`)).toBe(1);

    const { word } = await administrator.api(persons.erase, {
      body: { address, OwnerId: person.id },
    });
    await until(async () => (await count(`contacts where list_id = '${list}'`)) === 0, 'a worker');
    await until(async () => (await count(`erasures`)) === 0, 'the end');
    expect(
      await world.db.query(
        `select actor_id, owner_id, before, after from audit_log where action = 'persons.erase' and target_id = $1`,
        [word],
      ),
    ).toEqual([{ actor_id: administrator.id, owner_id: person.id, before: null, after: null }]);
    expect(await ask(person, { address: PHONE })).toBe(202);
  });

  test('keeps blacklist entries without a name, and reports unfinished messages', async () => {
    const person = await world.person();
    await approve(world, person.id);
    const blacklist = await contactList(world, person.id, 1, { first: 776, type: 'blacklist' });
    const body = {
      type: 'viber',
      recipient: { include: [OTHER, '+79020000002'] },
      payload: { sender: 'MIRTEA', text: 'Hello' },
      schedule: { until: 1 },
    };
    const { id } = (await person.api(sendings.create, { body: body as never })) as { id: string };
    await until(async () => (await count(`sendings where group_id = '${id}'`)) === 2, 'to be read');
    expect(await erase(person.id, PHONE)).toMatchObject({
      contacts: [{ ListId: blacklist, count: 1 }],
      underWay: 0,
    });
    expect(
      await world.db.query(`select phone, first_name, custom from contacts where list_id = $1`, [
        blacklist,
      ]),
    ).toEqual([{ phone: PHONE, first_name: null, custom: {} }]);
    const open = await count(`sendings where group_id = '${id}' and outcome is null`);
    expect(open).toBeGreaterThan(0);
    const [one] = await world.db.query<{ phone: string }>(
      // The first is being sent already, the last is due at the end of the hour.
      `select phone from sendings where group_id = $1 order by id desc limit 1`,
      [id],
    );
    expect(await erase(person.id, one!.phone)).toMatchObject({ messages: 0, underWay: 1 });
    await person.api(tasks.update, { params: { id }, body: { state: 'stopped' } });
    // A worker continues it.
    await until(async () => {
      await world.db.query(`update erasures set due_at = now()`);
      return (await count(`erasures`)) === 0;
    }, 'the message to be over');
    expect(await everywhereOf(person.id, one!.phone)).toBe(0);
  });

  const everywhereOf = (OwnerId: string, phone: string) =>
    count(`sendings where owner_id = '${OwnerId}' and phone = '${phone}'`);

  test('has an address', async () => {
    for (const address of ['x', '', '@', 'a@b', `+7${'9'.repeat(400)}`])
      await expect(erase(owner.id, address)).rejects.toMatchObject({ code: 'validation' });
    expect(await count('erasures')).toBe(0);
  });
});
