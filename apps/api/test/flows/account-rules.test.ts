import { sendings, tasks, type SendingReceipt, type SendingTask } from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { ExpandService } from '../../src/features/sendings/audience/expand.service.ts';
import { FallbackService } from '../../src/features/sendings/fallbacks/fallback.service.ts';
import { SettingsService } from '../../src/features/settings/settings.service.ts';
import { approve, balance, contactList, finished, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

/** The rules of an account are checked in the call, at the start of a bulk, at every chunk, at the submit and before a fallback. */

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'all' });
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person();
  await approve(world, owner.id);
});

const TEST_NUMBER = '+79990000000';
const STRANGER = '+79161234567';
const text = 'Tea is ready';
const message = (recipient: unknown, sender = 'MIRTEA', more: object = {}) => ({
  type: 'viber',
  recipient,
  payload: { sender, text },
  ...more,
});
const post = <T = SendingReceipt>(body: object, who = owner, returns?: 'each') =>
  who.api(sendings.create, {
    body: body as never,
    ...(returns && { query: { return: returns } }),
  }) as Promise<T>;
type Bulk = z.infer<typeof SendingTask>;
const bulk = (body: object, who = owner) => post<Bulk>(body, who);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sent',
    (error: { code: string }) => error.code,
  );
const sql = (text: string, values: unknown[] = [owner.id]) => world.db.query(text, values);
const taskOf = (id: string) => owner.api(tasks.get, { params: { id } });
const paused = (id: string) =>
  until(async () => {
    const task = await taskOf(id);
    return task.state === 'paused' && task;
  }, 'the task to pause');
const resume = (id: string) =>
  owner.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
const inAnHour = () => ({
  schedule: { delay: new Date(world.clock.now().getTime() + 3_600_000).toISOString() },
});
const rulesOf = (app: INestApplicationContext, who = owner) =>
  app.get(SettingsService, { strict: false }).sendingRules(who.id);
const stateOf = async (who: Person, id: string) =>
  (await who.api(sendings.get, { params: { id } })).state;
const created = async (groupId: string) =>
  (await sql(`select 1 from sendings where group_id = $1`, [groupId])).length;

/** As registration leaves it. */
const newcomer = async (registered: string) => {
  const who = await world.person({ balance: 70 });
  await sql(
    `update users set is_test = true, phone_confirmed_at = null, data = jsonb_build_object('phone', $2::text) where id = $1`,
    [who.id, registered],
  );
  await approve(world, who.id, 'DEMO');
  await approve(world, who.id, 'MIRTEA');
  return who;
};

test('every type requires an approved sender name unless configured otherwise', async () => {
  for (const type of SENDING_TYPES.filter((t) => t !== 'wapi')) {
    const body = {
      ...message(type === 'email' ? 'anna@tea.example' : STRANGER, 'SBERBANK'),
      type,
      payload: { sender: 'SBERBANK', text: '1234', ...(type === 'voice' && { tts: 'anna' }) },
    };
    expect([type, await post(body)]).toEqual([
      type,
      expect.objectContaining({ status: 'failed', code: 'sender_not_approved' }),
    ]);
  }
  expect(await balance(world, owner.id)).toBe(1000);
  expect(await code(bulk(message([STRANGER], 'SBERBANK')))).toBe('sender_not_approved');
  const fallbacks = [
    {
      ...message(0, 'SBERBANK'),
      recipient: undefined,
      type: 'sms',
      options: { onStatus: ['failed'] },
    },
  ];
  expect(await code(bulk(message([STRANGER], 'MIRTEA', { fallbacks })))).toBe(
    'sender_not_approved',
  );
  expect(await post(message(STRANGER, 'mirtea'))).toMatchObject({ status: 'pending' });
});

// No worker runs, so the test decides when chunks are written.
test('a sender name that is revoked between two chunks: the second writes nothing', async () => {
  const { id: rich } = (owner = await world.person({ balance: 100_000 }));
  await approve(world, rich);
  const list = await contactList(world, rich, 4500);
  const { id } = await bulk(message({ include: [list] }));
  const expand = world.api.get(ExpandService, { strict: false });
  await expand.expand({ taskId: id });
  expect(await created(id)).toBe(4000);
  await sql(`update sendernames set moderation = 'rejected' where owner_id = $1`);
  await until(async () => !(await rulesOf(world.api)).approvedSenders.size, 'the revocation');
  await expand.expand({ taskId: id });
  expect(await taskOf(id)).toMatchObject({ state: 'paused', reason: 'sender_not_approved' });
  expect(await created(id)).toBe(4000);
  await approve(world, rich, 'OTHER');
  await sql(`update sendernames set moderation = 'approved' where owner_id = $1`);
  await until(async () => (await rulesOf(world.api)).approvedSenders.size, 'the approval');
  await resume(id);
  await expand.expand({ taskId: id });
  expect(await created(id)).toBe(4500);
  expect(await problems(world)).toEqual([]);
});

describe('messages that wait to be submitted', () => {
  const setActive = async (isActive: boolean) => {
    await sql(`update channels set is_active = $1 where name = 'simulator'`, [isActive]);
    world.forgetChannels();
  };
  const revoked = async () => {
    await sql(
      `update sendernames set moderation = 'rejected' where owner_id = $1 and name = 'MIRTEA'`,
    );
    await until(
      async () => !(await rulesOf(world.api)).approvedSenders.has('sms:mirtea'),
      'the revocation',
    );
  };

  test('of a bulk whose sender name is revoked: the task pauses and can be resumed when the name is approved', async () => {
    const { id } = await bulk(message([STRANGER, '+79161234568']));
    await world.api.get(ExpandService, { strict: false }).expand({ taskId: id });
    await revoked();
    await world.submit();
    expect(await taskOf(id)).toMatchObject({ state: 'paused', reason: 'sender_not_approved' });
    const stages = `select stage from batches where task_id = $1`;
    expect(await sql(stages, [id])).toEqual([{ stage: 0 }]);
    await sql(`update sendernames set moderation = 'approved' where owner_id = $1`);
    await until(async () => (await rulesOf(world.api)).approvedSenders.size, 'the approval');
    await resume(id);
    await world.submit();
    expect(await sql(stages, [id])).toEqual([{ stage: 3 }]);
  });

  test('a fallback with a revoked sender name is refused and not charged', async () => {
    await approve(world, owner.id, 'SECOND');
    const fallbacks = [
      { type: 'sms', payload: { sender: 'SECOND', text }, options: { onStatus: ['failed'] } },
    ];
    // Rejected by the carrier.
    const { id } = await post(message('+79990000006', 'MIRTEA', { fallbacks }));
    await sql(`update sendernames set is_active = false where owner_id = $1 and name = 'SECOND'`);
    await until(
      async () => !(await rulesOf(world.api)).approvedSenders.has('sms:second'),
      'the revocation',
    );
    await world.submit();
    await world.api.get(FallbackService, { strict: false }).start();
    const chain = await owner.api(sendings.find, { query: { filter: { chainId: id } } });
    expect(chain.data.map(({ attempt, state }) => [attempt, state.code])).toEqual([
      [1, 'sender_not_approved'],
      [0, 'rejected_sender'],
    ]);
    expect(await balance(world, owner.id)).toBe(1000);
  });

  test('of singles: those with the revoked name fail and are refunded, the others are sent', async () => {
    const other = await world.person();
    await approve(world, other.id);
    await setActive(true);
    const [mine, theirs] = await Promise.all([
      post(message(STRANGER)),
      post(message('+79161234568'), other),
    ]);
    await revoked();
    await world.submit();
    expect(await stateOf(owner, mine.id)).toMatchObject({
      status: 'failed',
      code: 'sender_not_approved',
    });
    expect(await balance(world, owner.id)).toBe(1000);
    expect((await stateOf(other, theirs.id)).status).not.toBe('failed');
    expect(await problems(world)).toEqual([]);
  });
});

describe('an account whose phone is not confirmed', () => {
  const PHONE = '+79031112233';
  let phones = 0;
  let phone: string;

  beforeEach(async () => {
    phone = `${PHONE.slice(0, -2)}${10 + phones++}`;
    owner = await newcomer(phone);
  });
  const refused = { status: 'failed', code: 'phone_not_confirmed' };
  const taken = { status: 'pending', error: null };

  test('can send to test numbers from the demo sender only, and is refused before it is charged', async () => {
    expect(await post(message(STRANGER, 'DEMO'))).toMatchObject(refused);
    expect(await post(message(TEST_NUMBER, 'MIRTEA'))).toMatchObject(refused);
    expect(await post({ ...message('anna@tea.example', 'DEMO'), type: 'email' })).toMatchObject(
      refused,
    );
    expect(await balance(world, owner.id)).toBe(70);
    for (let i = 0; i < 5; i++)
      expect(await post(message(TEST_NUMBER, 'DEMO'))).toMatchObject(taken);
    const each = await post<SendingReceipt[]>(
      message([TEST_NUMBER, STRANGER, phone], 'DEMO'),
      owner,
      'each',
    );
    expect(each.map((r) => r.status).toSorted()).toEqual(['failed', 'pending', 'pending']);
    expect(each.find((r) => r.status === 'failed')).toMatchObject({
      ...refused,
      recipient: STRANGER,
    });
    expect(await problems(world)).toEqual([]);
  });

  test('may send to its own phone three times a day, together with other accounts of the phone', async () => {
    const other = await newcomer(phone);
    const own = message(`8${phone.slice(2)}`, 'DEMO');
    const receipts = await Promise.all(
      [owner, other, owner, other, owner].map((who) => post(own, who)),
    );
    expect(receipts.filter((r) => r.status === 'pending')).toHaveLength(3);
    const failed = receipts.filter((r) => r.status === 'failed');
    expect(failed).toEqual([refused, refused].map((one) => expect.objectContaining(one)));
    // Another phone does not raise the limit.
    const third = await newcomer(`${phone.slice(0, -3)}999`);
    for (let i = 0; i < 3; i++)
      expect(await post(message(`${phone.slice(0, -3)}999`, 'DEMO'), third)).toMatchObject(taken);
    await sql(`update users set data = jsonb_build_object('phone', '+79035554433') where id = $1`, [
      third.id,
    ]);
    await until(
      async () => (await rulesOf(world.api, third)).phone === '+79035554433',
      'the new phone',
    );
    expect(await post(message('+79035554433', 'DEMO'), third)).toMatchObject(refused);
    world.clock.forward(24 * 3600);
    expect(await post(own)).toMatchObject(taken);
  });

  describe('of which the few messages a day', () => {
    const used = async () => {
      const rows = await sql(`select count from unconfirmed_messages where key = $1`);
      return (rows[0] as { count: number } | undefined)?.count ?? 0;
    };
    const own = (more: object = {}) => message(phone, 'DEMO', more);
    const setBalance = (amount: number) =>
      sql(
        `with entry as (insert into billings (owner_id, source, amount)
           select owner_id, case when $2 < balance then -2 else -1 end, $2 - balance from balances where owner_id = $1 returning amount)
         update balances set balance = balance + (select amount from entry) where owner_id = $1`,
        [owner.id, amount],
      );
    const blacklisted = async () => {
      const list = await contactList(world, owner.id, 0, { type: 'blacklist' });
      await sql(`insert into contacts (list_id, phone) values ($1, $2)`, [list, phone]);
      return () => sql(`delete from contacts where list_id = $1`, [list]);
    };

    test('are used up by no message that is refused for another reason', async () => {
      const allow = await blacklisted();
      for (let i = 0; i < 4; i++)
        expect(await post(own())).toMatchObject({ status: 'failed', code: 'blacklisted' });
      await allow();
      await setBalance(0);
      for (let i = 0; i < 4; i++)
        expect(await post(own())).toMatchObject({ status: 'failed', code: 'insufficient_funds' });
      expect(await used()).toBe(0);
      await setBalance(70);
      const receipts = await Promise.all([1, 2, 3, 4].map(() => post(own())));
      expect(receipts.filter((r) => r.status === 'pending')).toHaveLength(3);
      expect(await used()).toBe(3);
    });

    test('are used up by no fallback that is refused', async () => {
      const start = () => world.api.get(FallbackService, { strict: false }).start();
      const fallbacks = [
        { type: 'sms', payload: { sender: 'DEMO', text }, options: { onStatus: ['sent'] } },
      ];
      const chainOf = async (id: string) =>
        (await owner.api(sendings.find, { query: { filter: { chainId: id } } })).data.map(
          ({ attempt, state }) => [attempt, state.code],
        );
      const first = await post(own({ fallbacks }));
      expect(await used()).toBe(1);
      await setBalance(0);
      await world.submit();
      await start();
      expect(await chainOf(first.id)).toContainEqual([1, 'insufficient_funds']);
      expect(await used()).toBe(1);
      await setBalance(70);
      for (let i = 0; i < 2; i++) expect(await post(own())).toMatchObject(taken);
      expect(await post(own())).toMatchObject(refused);
      expect(await used()).toBe(3);
    });

    test('are used up by no part of a bulk that is not paid', async () => {
      await setBalance(100);
      const { id } = await bulk(message([TEST_NUMBER, phone], 'DEMO'));
      await setBalance(0);
      await world.api.get(ExpandService, { strict: false }).expand({ taskId: id });
      expect(await taskOf(id)).toMatchObject({ state: 'paused', reason: 'insufficient_funds' });
      expect(await used()).toBe(0);
      await setBalance(70);
      await resume(id);
      await world.api.get(ExpandService, { strict: false }).expand({ taskId: id });
      expect(await created(id)).toBe(2);
      expect(await used()).toBe(1);
    });
  });

  test('a bulk with any other recipient is refused as a whole', async () => {
    const strangers = await contactList(world, owner.id, 2);
    const tests = await contactList(world, owner.id, 0);
    await sql(`insert into contacts (list_id, phone) values ($1, $2)`, [tests, TEST_NUMBER]);
    const refusals = [
      message([STRANGER], 'DEMO'),
      message([TEST_NUMBER, STRANGER], 'DEMO'),
      message({ include: [strangers] }, 'DEMO'),
      message({ include: [tests, strangers] }, 'DEMO', inAnHour()),
      message([TEST_NUMBER], 'MIRTEA'),
      { ...message({ include: [tests] }, 'DEMO'), type: 'email' },
      message([TEST_NUMBER], 'DEMO', {
        fallbacks: [
          { type: 'sms', payload: { sender: 'MIRTEA', text }, options: { onStatus: ['failed'] } },
        ],
      }),
    ];
    for (const body of refusals)
      expect([body, await code(bulk(body))]).toEqual([body, 'phone_not_confirmed']);
    expect((await owner.api(tasks.find)).total).toBe(0);
    expect((await bulk(message({ include: [tests] }, 'DEMO'))).state).toBe('running');
    expect((await bulk(message([TEST_NUMBER, phone], 'DEMO'))).state).toBe('running');
  });

  test('may send to everyone once its phone is confirmed, also as a test account', async () => {
    await sql(`update users set phone_confirmed_at = now() where id = $1`);
    expect(await post(message(STRANGER, 'MIRTEA'))).toMatchObject(taken);
    expect((await bulk(message([STRANGER, '+79161234568'], 'MIRTEA'))).state).toBe('running');
  });
});

describe('after a bulk was scheduled', () => {
  let worker: INestApplicationContext;
  let manager: Person;
  beforeAll(async () => {
    worker = await world.startWorker();
    manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  });
  const stateNow = (id: string) => manager.api(tasks.get, { params: { id } });
  const revoke = `update sendernames set moderation = 'rejected' where owner_id = $1 and name = 'MIRTEA'`;
  const restore = `update sendernames set moderation = 'approved', is_active = true where owner_id = $1 and name = 'MIRTEA'`;
  test.each<[what: string, change: string, reason: string, back?: string]>([
    ['its sender name was rejected', revoke, 'sender_not_approved', restore],
    [
      'its sender name was switched off',
      `update sendernames set is_active = false where owner_id = $1 and name = 'MIRTEA'`,
      'sender_not_approved',
      restore,
    ],
    [
      'its sender name was removed',
      `delete from sendernames where owner_id = $1 and name = 'MIRTEA'`,
      'sender_not_approved',
    ],
    [
      'the name of its fallback was rejected',
      `update sendernames set moderation = 'rejected' where owner_id = $1 and name = 'SECOND'`,
      'sender_not_approved',
    ],
    [
      'its account was deactivated',
      `update users set is_active = false where id = $1`,
      'account_inactive',
      `update users set is_active = true where id = $1`,
    ],
    [
      'its phone changed and is not confirmed',
      `update users set phone_confirmed_at = null where id = $1`,
      'phone_not_confirmed',
      `update users set phone_confirmed_at = now() where id = $1`,
    ],
    [
      'its type was taken from the account',
      `update users set settings = '{"sendings": {"types": ["sms"]}}' where id = $1`,
      'type_unavailable',
      `update users set settings = '{}' where id = $1`,
    ],
    [
      'the list of those to leave out was removed',
      `delete from contact_lists where owner_id = $1 and title = 'Left out'`,
      'list_removed',
    ],
    [
      'a list of recipients was removed',
      `delete from contact_lists where owner_id = $1 and title = 'People'`,
      'list_removed',
    ],
  ])('%s: it pauses with the reason and sends nothing', async (_, change, reason, back) => {
    await approve(world, owner.id, 'SECOND');
    const list = await contactList(world, owner.id, 3);
    const exclude = await contactList(world, owner.id, 1);
    await sql(`update contact_lists set title = 'Left out' where id = $1`, [exclude]);
    const fallbacks = [
      { type: 'sms', payload: { sender: 'SECOND', text }, options: { onStatus: ['failed'] } },
    ];
    const { id } = await bulk(
      message({ include: [list], exclude: [exclude] }, 'MIRTEA', { ...inAnHour(), fallbacks }),
    );
    await sql(change);
    world.clock.forward(3601);
    const task = await until(async () => {
      const found = await stateNow(id);
      return found.state === 'paused' && found;
    }, 'the task to pause');
    expect(task.reason).toBe(reason);
    expect(await created(id)).toBe(0);
    expect(await balance(world, owner.id)).toBe(1000);
    if (!back) return;
    await sql(back);
    await until(async () => {
      if ((await stateNow(id)).state === 'paused')
        await manager.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
      return (await created(id)) > 0;
    }, 'the task to go on');
  });

  test('a contact was added to the list of an unconfirmed account: it pauses until the phone is confirmed', async () => {
    owner = await newcomer('+79031112200');
    const tests = await contactList(world, owner.id, 0);
    await sql(`insert into contacts (list_id, phone) values ($1, $2)`, [tests, TEST_NUMBER]);
    const { id } = await bulk(message({ include: [tests] }, 'DEMO', inAnHour()));
    await sql(`insert into contacts (list_id, phone) values ($1, $2)`, [tests, STRANGER]);
    world.clock.forward(3601);
    expect((await paused(id)).reason).toBe('phone_not_confirmed');
    expect(await created(id)).toBe(0);
    await sql(`update users set phone_confirmed_at = now() where id = $1`);
    await until(async () => (await rulesOf(worker)).isPhoneConfirmed, 'the proof');
    await resume(id);
    expect((await finished(owner, id)).meta.counters.completed).toBe(2);
    expect(await problems(world)).toEqual([]);
  });
});
