import {
  ADMINISTRATOR_GRANTS,
  installation,
  quietHours,
  sendings,
  tasks,
  type QuietHoursInput,
  type SendingReceipt,
  type SendingTask,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { approve, finished, problems, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { InstallationSettings } from '../../core/installation-settings.ts';

let world: World;
let worker: Awaited<ReturnType<World['startWorker']>>;
let administrator: Person;
let owner: Person;
/** Of Belarus, three hours ahead of UTC all year, and of Uzbekistan, five hours. */
const MINSK = '+375291234567';
const TASHKENT = '+998901234567';
const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
const SMS = { type: 'sms' as const, payload };

beforeAll(async () => {
  world = await World.start();
  worker = await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await setCarrier(world, {});
});

/** Minutes since midnight in Minsk, so many minutes from now. */
const inMinsk = (minutes: number) =>
  (Math.floor(world.clock.now().getTime() / 60_000) + 180 + minutes) % 1440;
/** Quiet in Minsk since an hour ago, for two more hours; not in Tashkent. */
const set = (changes: Partial<z.input<typeof QuietHoursInput>> = {}) =>
  owner.api(quietHours.update, {
    body: {
      isActive: true,
      from: inMinsk(-60),
      until: inMinsk(60),
      groups: ['advertising'],
      singles: false,
      timeZone: 'Europe/Minsk',
      ...changes,
    },
  });
const bulk = async (include: string[], body: object = SMS) =>
  (await owner.api(sendings.create, {
    body: { ...body, recipient: { include } } as never,
  })) as z.infer<typeof SendingTask>;
const statuses = async (groupId: string) => {
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId } } });
  return Object.fromEntries(data.map((s) => [s.recipient, s.state.status]));
};

test('messages of a bulk wait until the quiet hours of their recipient end', async () => {
  await set();
  const recipient = { include: [MINSK, TASHKENT] };
  const { quiet } = await owner.api(sendings.estimate, { body: { ...SMS, recipient } });
  expect(quiet!.count).toBe(1);
  const wait = Date.parse(quiet!.until) - world.clock.now().getTime();
  expect(wait).toBeGreaterThan(58 * 60_000);
  expect(wait).toBeLessThanOrEqual(60 * 60_000);
  const { id } = await bulk([MINSK, TASHKENT]);
  await until(async () => (await statuses(id))[TASHKENT] === 'delivered', 'the other one');
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  expect(data.map((s) => [s.recipient, s.dueAt])).toEqual(
    expect.arrayContaining([
      [MINSK, quiet!.until],
      [TASHKENT, null],
    ]),
  );
  const { count: waiting, dueAt } = await owner.api(tasks.unsent, { params: { id } });
  expect({ waiting, dueAt }).toEqual({ waiting: 1, dueAt: quiet!.until });
  expect((await owner.api(tasks.get, { params: { id } })).state).toBe('running');
  world.clock.forward(61 * 60);
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({ completed: 2 });
  expect(await problems(world)).toEqual([]);
});

test('messages that are due in the quiet hours are postponed when they are submitted', async () => {
  await set();
  const { id } = await bulk([MINSK]);
  const [batch] = await until(async () => {
    const found = await world.db.query<{ id: string }>(
      `update batches set due_at = now() - interval '1 day' where task_id = $1 and stage = 0 returning id`,
      [id],
    );
    return found.length ? found : null;
  }, 'its batch');
  await until(async () => {
    const [row] = await world.db.query<{ wait: boolean }>(
      `select stage = 0 and due_at > $2::timestamptz + interval '50 minutes' as wait from batches where id = $1`,
      [batch!.id, world.clock.now()],
    );
    return row!.wait;
  }, 'the end of the quiet hours');
  world.clock.forward(61 * 60);
  await finished(owner, id);
});

test('a fallback waits, too', async () => {
  await setCarrier(world, { failed: 1 });
  await set();
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  // Another group of the first attempt would need a template; its type is exempt instead.
  const { id } = await bulk([MINSK], { type: 'hlr', payload: { sender: 'MIRTEA' }, fallbacks });
  await until(async () => (await attemptsOf(id)).length === 2, 'the fallback');
  await until(async () => {
    const [row] = await world.db.query<{ wait: boolean }>(
      `select due_at > $2::timestamptz + interval '50 minutes' as wait from batches where task_id = $1 and attempt = 1 and stage = 0`,
      [id, world.clock.now()],
    );
    return row?.wait === true;
  }, 'its time');
  world.clock.forward(61 * 60);
  await finished(owner, id);
});

const attemptsOf = async (groupId: string) =>
  (await owner.api(sendings.find, { query: { filter: { groupId } } })).data;

test('single messages wait only where the account says so; codes never do', async () => {
  const single = async (body: object) =>
    (await owner.api(sendings.create, {
      body: { ...body, recipient: MINSK } as never,
    })) as SendingReceipt;
  /** A batch that is being submitted may still be postponed: what counts is the status, or the time to which it was. */
  const isDue = async (id: string) => {
    const decision = await until(async () => {
      const { state } = await owner.api(sendings.get, { params: { id } });
      if (state.status !== 'pending') return 'due';
      const [row] = await world.db.query<{ waits: boolean }>(
        `select b.stage = 0 and b.due_at > $2::timestamptz + interval '1 minute' as waits from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
        [id, world.clock.now()],
      );
      return row!.waits && 'waits';
    }, 'a decision');
    return decision === 'due';
  };
  await set();
  expect(await isDue((await single(SMS)).id)).toBe(true);
  await set({ singles: true });
  expect(await owner.api(sendings.estimate, { body: { ...SMS, recipient: MINSK } })).toMatchObject({
    quiet: { count: 1 },
  });
  const code = { type: 'flashcall', payload: { sender: 'MIRTEA', text: '1234' } };
  expect(await isDue((await single(code)).id)).toBe(true);
});

const dueAts = async (groupId: string) => {
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId } } });
  return Object.fromEntries(data.map((s) => [s.recipient, s.dueAt]));
};
const waits = (id: string, ...recipients: string[]) =>
  until(async () => {
    const found = await dueAts(id);
    const now = world.clock.now().toISOString();
    return recipients.every((recipient) => (found[recipient] ?? '') > now) && found;
  }, 'messages that wait');

test('messages that wait are sent when the quiet hours are turned off', async () => {
  await set({ singles: true });
  const { id } = await bulk([MINSK]);
  await waits(id, MINSK);
  const body = { ...SMS, recipient: MINSK };
  const single = (await owner.api(sendings.create, { body: body as never })) as SendingReceipt;
  await until(async () => {
    const [row] = await world.db.query<{ waits: boolean }>(
      `select b.postponed_from is not null as waits from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
      [single.id],
    );
    return row!.waits;
  }, 'the single message to wait');
  await set({ isActive: false });
  await finished(owner, id);
  await until(async () => {
    const { state } = await owner.api(sendings.get, { params: { id: single.id } });
    return state.status === 'delivered';
  }, 'the single message');
  expect(await problems(world)).toEqual([]);
});

test('messages are due earlier when the quiet hours end earlier, and none is due later', async () => {
  const india = '+919876543210';
  // Quiet in India for three more hours, and in Minsk for half an hour more than that.
  await set({ from: inMinsk(-60), until: inMinsk(330) });
  const { id } = await bulk([MINSK, india]);
  const before = await waits(id, MINSK, india);
  await set({ from: inMinsk(-60), until: inMinsk(300) });
  await until(async () => (await dueAts(id))[MINSK]! < before[MINSK]!, 'an earlier time');
  const earlier = await dueAts(id);
  for (const recipient of [MINSK, india])
    expect(Date.parse(before[recipient]!) - Date.parse(earlier[recipient]!)).toBe(30 * 60_000);
  await set({ from: inMinsk(-60), until: inMinsk(400) });
  await until(async () => {
    world.clock.forward(61);
    return (await world.db.query(`select 1 from quiet_releases`)).length === 0;
  }, 'the comparison');
  expect(await dueAts(id)).toEqual(earlier);
});

test('a message of a group that no longer waits leaves those that do', async () => {
  const second = '+375291234568';
  await set({ groups: ['advertising', 'service'] });
  const { id } = await bulk([MINSK, second]);
  const before = await waits(id, MINSK, second);
  await world.db.query(
    `update sendings set data = coalesce(data, '{}') || '{"group": "service"}' where group_id = $1 and phone = $2`,
    [id, second],
  );
  await set();
  await until(async () => (await statuses(id))[second] === 'delivered', 'the other one');
  expect((await dueAts(id))[MINSK]).toBe(before[MINSK]);
  expect(await statuses(id)).toMatchObject({ [MINSK]: 'pending' });
  const sizes = await world.db.query(`select size from batches where task_id = $1`, [id]);
  expect(sizes).toEqual([{ size: 1 }, { size: 1 }]);
  expect(await problems(world)).toEqual([]);
});

test('hours that are turned off beside the call that turns them on release what it may have stopped', async () => {
  let commit!: () => void;
  const turnedOn = world.db.transaction(async () => {
    await world.db.query(`select 1 from users where id = $1 for no key update`, [owner.id]);
    await world.db.query(
      `insert into quiet_hours (owner_id, is_active, starts, ends, groups, singles, time_zone)
       values ($1, true, 1260, 540, '{advertising}', false, 'Europe/Minsk')`,
      [owner.id],
    );
    await new Promise<void>((resolve) => (commit = resolve));
  });
  const turnedOff = set({ isActive: false });
  await until(async () => {
    const [waiting] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting!.n > 0;
  }, 'the second call');
  commit();
  await Promise.all([turnedOn, turnedOff]);
  expect(await owner.api(quietHours.get)).toMatchObject({ isActive: false });
  const planned = `select 1 from quiet_releases where owner_id = $1`;
  expect(await world.db.query(planned, [owner.id])).not.toEqual([]);
});

test('hours are refused that leave no time to send in', async () => {
  const refused = { status: 422, body: { data: [expect.objectContaining({ field: 'until' })] } };
  await expect(set({ from: 60, until: 60 })).rejects.toMatchObject(refused);
  await expect(set({ from: 600, until: 599 })).rejects.toMatchObject(refused);
  expect(await owner.api(quietHours.get)).toMatchObject({ isActive: false, from: 1260 });
});

describe('of countries', () => {
  /** Applied in the worker, too, which otherwise reads it within a second. */
  const setCountries = async (COUNTRY_QUIET_HOURS: string[] | null) => {
    await administrator.api(installation.update, { body: { COUNTRY_QUIET_HOURS } });
    await worker.get(InstallationSettings, { strict: false }).refresh();
  };
  const clock = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');
  /** Quiet in Belarus since an hour ago, for so many minutes more. */
  const belarus = (minutes: number) => `BY ${clock(inMinsk(-60))}-${clock(inMinsk(minutes))}`;
  /** Of Uzbekistan, also if the day changes now. */
  const holidays = () =>
    [0, 1].map((day) => {
      const there = world.clock.now().getTime() + (5 + day * 24) * 3_600_000;
      return `UZ ${new Date(there).toISOString().slice(0, 10)}`;
    });
  afterEach(() => setCountries(null));

  test('bulks wait for the window and the holidays of a country, and are estimated so', async () => {
    await setCountries([belarus(60), ...holidays()]);
    const india = '+919876543210';
    const recipient = { include: [MINSK, TASHKENT, india] };
    const { quiet } = await owner.api(sendings.estimate, { body: { ...SMS, recipient } });
    expect(quiet!.count).toBe(2);
    const { id } = await bulk([MINSK, TASHKENT, india]);
    const found = await waits(id, MINSK, TASHKENT);
    await until(async () => (await statuses(id))[india] === 'delivered', 'the other one');
    expect(quiet!.until).toBe(found[TASHKENT]);
    // The midnight of Tashkent after the second holiday.
    expect(found[TASHKENT]).toMatch(/T19:00:00/);
    const wait = Date.parse(found[MINSK]!) - world.clock.now().getTime();
    expect(wait).toBeGreaterThan(55 * 60_000);
    expect(wait).toBeLessThanOrEqual(60 * 60_000);
  });

  test('the later end of the account and of the country counts', async () => {
    await set();
    await setCountries([belarus(120)]);
    const { id } = await bulk([MINSK]);
    const found = await waits(id, MINSK);
    const wait = Date.parse(found[MINSK]!) - world.clock.now().getTime();
    expect(wait).toBeGreaterThan(115 * 60_000);
  });

  test('single messages wait for the country only where those of the account wait', async () => {
    await setCountries([belarus(120)]);
    const estimate = async () =>
      (await owner.api(sendings.estimate, { body: { ...SMS, recipient: MINSK } })).quiet;
    expect(await estimate()).toBeNull();
    await set();
    expect(await estimate()).toBeNull();
    await set({ singles: true });
    const wait = Date.parse((await estimate())!.until) - world.clock.now().getTime();
    expect(wait).toBeGreaterThan(115 * 60_000);
  });

  test('messages that wait are sent when the setting is removed', async () => {
    await setCountries([belarus(120)]);
    const { id } = await bulk([MINSK]);
    await waits(id, MINSK);
    await setCountries(null);
    await finished(owner, id);
    expect(await problems(world)).toEqual([]);
  });

  test('messages are due earlier when the window of the country ends earlier', async () => {
    await setCountries([belarus(120)]);
    const { id } = await bulk([MINSK]);
    const before = await waits(id, MINSK);
    await setCountries([belarus(90)]);
    await until(async () => (await dueAts(id))[MINSK]! < before[MINSK]!, 'an earlier time');
  });

  test.each([
    [['BY 20:00-20:00'], 'quiet_length'],
    [['BY 20:00-19:00'], 'quiet_length'],
    [['BY 20:00-08:00', 'BY 21:00-08:00'], 'quiet_item'],
    [['BY 2026-02-30'], 'quiet_item'],
    [['XX 20:00-08:00'], 'quiet_item'],
  ])('%j is refused by %s', async (items, rule) => {
    await expect(setCountries(items)).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'COUNTRY_QUIET_HOURS', type: rule }] },
    });
  });
});
