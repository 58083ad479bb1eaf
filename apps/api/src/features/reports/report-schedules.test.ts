import {
  notifications,
  reports,
  reportSchedules,
  type EventBody,
  type ReportSchedule,
} from '@heliograph/contract';
import { nextReportRun, type EmailMessage, type ReportTiming } from '@heliograph/domain';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { raw } from '../../../test/raw.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { ReportScheduler } from './report-scheduler.ts';

const HOUR_MS = 3_600_000;
let world: World;
let workers: INestApplicationContext[];
let person: Person;
/** An address that the mail server refuses. */
let refused: string | null = null;
const all: { to: string; email: EmailMessage }[] = [];
/** To the person of this test. */
const sent = () => all.filter(({ email }) => email.after[0]!.includes(person.username));

beforeAll(async () => {
  world = await World.start();
  workers = [await world.startWorker(), await world.startWorker(), await world.startWorker()];
  for (const worker of workers)
    vi.spyOn(worker.get(Mailer, { strict: false }), 'deliver').mockImplementation(
      async (to, email) => {
        if (to === refused) throw new Error('450');
        all.push({ to, email });
      },
    );
});
beforeEach(async () => {
  person = await world.person();
  await world.db.query(
    `update users set data = data || jsonb_build_object('email', 'anna@tea.example') where id = $1`,
    [person.id],
  );
});
afterAll(() => world.stop());

const DAILY = {
  preset: 'sendings.byDay',
  frequency: 'daily',
  hour: 9,
  timeZone: 'Europe/Moscow',
} as const;
const create = (body: object = {}): Promise<ReportSchedule> =>
  person.api(reportSchedules.create, { body: { ...DAILY, ...body } as never });
const get = (id: string) => person.api(reportSchedules.get, { params: { id } });
const update = (id: string, body: object) =>
  person.api(reportSchedules.update, { params: { id }, body: body as never });
/** As if the time of the next run had come an hour ago. */
async function makeDue(id: string, at = new Date(Date.now() - HOUR_MS)): Promise<void> {
  await world.db.query(`update report_schedules set next_run_at = $2 where id = $1`, [id, at]);
}
const made = async (id: string) =>
  (await person.api(reports.find, {})).data.filter(({ ScheduleId }) => ScheduleId === id);
const completed = (id: string, count = 1) =>
  until(async () => {
    const rows = await made(id);
    return rows.filter(({ state }) => state === 'completed').length === count;
  }, 'the reports');

test('answers the next run in the time zone, and lists, changes, pauses and removes a schedule', async () => {
  const row = await create({ frequency: 'monthly', day: 31 });
  const timing = { ...DAILY, frequency: 'monthly', day: 31, weekday: null } as ReportTiming;
  expect(row).toMatchObject({
    day: 31,
    weekday: null,
    isActive: true,
    nextRunAt: nextReportRun(timing, new Date()).toISOString(),
    UserId: person.id,
  });
  expect((await person.api(reportSchedules.find, {})).data).toEqual([row]);
  const weekly = await update(row.id, { frequency: 'weekly', weekday: 1, hour: 0 });
  expect(weekly).toMatchObject({ frequency: 'weekly', weekday: 1, day: null, format: 'csv' });
  expect(await update(row.id, { isActive: false })).toMatchObject({ nextRunAt: null, weekday: 1 });
  expect((await update(row.id, { isActive: true })).nextRunAt).toBe(weekly.nextRunAt);
  await person.api(reportSchedules.remove, { params: { id: row.id } });
  await expect(get(row.id)).rejects.toMatchObject({ status: 404 });
});

test('refuses missing days, unknown zones, presets above the level, accounts of others and an eleventh schedule', async () => {
  const other = await world.person();
  const wrong: [object, number][] = [
    [{ frequency: 'weekly' }, 422],
    [{ frequency: 'monthly' }, 422],
    [{ frequency: 'hourly' }, 422],
    [{ frequency: 'monthly', day: 32 }, 422],
    [{ hour: 24 }, 422],
    [{ timeZone: 'Mars/Olympus' }, 422],
    [{ where: { createdAt: { $gt: '2026-11-01T00:00:00Z' } } }, 422],
    [{ where: { source: ['accrual'] } }, 422],
    [{ where: { OwnerId: other.id } }, 404],
    [{ preset: 'sendings.byAccount' }, 403],
  ];
  for (const [body, status] of wrong)
    await expect(create(body), JSON.stringify(body)).rejects.toMatchObject({ status });
  const [first] = await Promise.all(Array.from({ length: 10 }, () => create()));
  await expect(create()).rejects.toMatchObject({
    body: { code: 'quota_exceeded', payload: { quota: 'reportSchedules', limit: 10 } },
  });
  await expect(update(first!.id, { preset: 'sendings.byAccount' })).rejects.toMatchObject({
    status: 403,
  });
  await expect(update(first!.id, { frequency: 'weekly' })).rejects.toMatchObject({ status: 422 });
  await expect(
    other.api(reportSchedules.update, { params: { id: first!.id }, body: { hour: 1 } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('a filter that the preset does not have is refused in the words of the API', async () => {
  const body = { ...DAILY, preset: 'billings.byDayAndSource', where: { type: ['sms'] } };
  const answer = await raw(world, person, 'POST', '/reportSchedules', body);
  expect(answer).toMatchObject({
    status: 422,
    json: { code: 'unknown_field', data: [{ field: 'where.type', type: 'unknown_field' }] },
  });
  expect(answer.json.data[0].message).toBe('The field where.type is unknown.');
  const wrong = { ...body, where: { source: ['gift'], amount: 5 } };
  const { json } = await raw(world, person, 'POST', '/reportSchedules', wrong);
  expect(json.data.map(({ message }: { message: string }) => message).join(' ')).toMatch(
    /^The field where\.source\.0 must be one of /,
  );
});

test('makes one report for a period, with three workers, and one more for the next', async () => {
  const { id } = await create();
  // One time for all runs, so that the day does not change meanwhile.
  const at = new Date(Date.now() - HOUR_MS);
  await makeDue(id, at);
  await Promise.all(
    workers.map((worker) => worker.get(ReportScheduler, { strict: false }).requestDue()),
  );
  await completed(id);
  const [report] = await made(id);
  const moscow = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Moscow' });
  const yesterday = moscow.format(at.getTime() - 24 * HOUR_MS);
  expect(report).toMatchObject({
    filename: `sendings.byDay_${yesterday}_${yesterday}.csv`,
    timeZone: 'Europe/Moscow',
    UserId: person.id,
  });
  const { $gt, $lt } = report!.where.createdAt as { $gt: string; $lt: string };
  expect(Date.parse($lt) - Date.parse($gt)).toBe(24 * HOUR_MS + 1);
  expect(new Date($lt).toISOString().slice(11)).toBe('21:00:00.000Z');
  const isAhead = async () => (await get(id)).nextRunAt! > new Date().toISOString();
  // Twice, if the hour of the schedule was within the last one.
  await until(isAhead, 'the next run');
  expect(Date.parse((await get(id)).lastRunAt!)).toBeLessThanOrEqual(Date.now());
  // The same day again, because the hour was changed.
  await makeDue(id, at);
  await until(isAhead, 'the next run');
  expect(await made(id)).toHaveLength(1);
  await world.db.query(
    `update report_schedules set last_period = last_period - interval '1 day' where id = $1`,
    [id],
  );
  await makeDue(id, at);
  await completed(id, 2);
});

test('makes the period of a new frequency that began before the last one', async () => {
  const { id } = await create();
  await makeDue(id);
  await completed(id);
  await update(id, { frequency: 'monthly', day: 1 });
  await makeDue(id);
  await completed(id, 2);
  expect(await made(id)).toHaveLength(2);
});

test('sends an e-mail with a link in the language of the user, to a confirmed address only', async () => {
  const { id } = await create({ locale: 'en' });
  await world.db.query(
    `insert into settings_user (user_id, key, value) values ($1, 'locale', '"de"')`,
    [person.id],
  );
  await makeDue(id);
  await completed(id);
  await until(() => Promise.resolve(sent().length > 0), 'the e-mail');
  const [{ to, email }] = sent() as [(typeof all)[0]];
  expect(to).toBe('anna@tea.example');
  expect(email.locale).toBe('de');
  expect(email.link.url).toMatch(/\/reports$/);
  expect(email.before.join()).toContain('sendings.byDay_');
  expect(sent()).toHaveLength(1);
  const due = () => world.db.query(`select 1 from report_emails`);
  await until(async () => !(await due()).length, 'the record of the e-mail');
  await world.db.query(`update users set email_confirmed_at = null where id = $1`, [person.id]);
  const second = await create({ preset: 'billings.byDay' });
  await makeDue(second.id);
  await completed(second.id);
  await until(async () => !(await due()).length, 'the record of the e-mail');
  expect(sent()).toHaveLength(1);
});

test('an e-mail of a worker that was killed is sent by another one', async () => {
  const { id } = await create();
  await makeDue(id);
  await completed(id);
  await until(() => Promise.resolve(sent().length === 1), 'the e-mail');
  const [report] = await made(id);
  const due = () => world.db.query(`select 1 from report_emails`);
  await until(async () => !(await due()).length, 'the record of the e-mail');
  await world.db.query(
    `insert into report_emails (report_id, due_at) values ($1, now() - interval '1 second')`,
    [report!.id],
  );
  await until(() => Promise.resolve(sent().length === 2), 'the e-mail again');
});

test('an e-mail that the mail server refused is sent later, and given up after ten attempts', async () => {
  const { id } = await create();
  refused = 'anna@tea.example';
  await makeDue(id);
  await completed(id);
  const [report] = await made(id);
  const tries = async () => {
    const rows = await world.db.query<{ tries: number; isLater: boolean }>(
      `select tries, due_at between now() and now() + interval '31 seconds' as "isLater" from report_emails where report_id = $1`,
      [report!.id],
    );
    return rows[0];
  };
  const makeEmailDue = (count: number) =>
    world.db.query(
      `update report_emails set due_at = now() - interval '1 second', tries = $2 where report_id = $1`,
      [report!.id, count],
    );
  await until(async () => (await tries())?.isLater, 'the first attempt');
  expect(await tries()).toEqual({ tries: 1, isLater: true });
  expect(sent()).toEqual([]);
  await makeEmailDue(9);
  await until(async () => !(await tries()), 'the last attempt');
  refused = null;
  await world.db.query(
    `insert into report_emails (report_id, due_at, tries) values ($1, now() - interval '1 second', 8)`,
    [report!.id],
  );
  await until(async () => !(await tries()), 'the e-mail');
  expect(sent()).toHaveLength(1);
});

test('a change, a run by a worker and a removal reach the sockets of the account and no others', async () => {
  const other = await world.person();
  const hear = (who: Person, change: string) =>
    listen<EventBody>(world, who, `reportSchedules.${change}`);
  const [created, updated, removed, others] = await Promise.all([
    hear(person, 'created'),
    hear(person, 'updated'),
    hear(person, 'removed'),
    hear(other, 'created'),
  ]);
  const row = await create();
  await until(() => Promise.resolve(created.length === 1), 'the event of the new schedule');
  expect(created).toEqual([{ items: [row] }]);
  await makeDue(row.id);
  const isRun = (body: EventBody) =>
    'items' in body && (body.items[0] as ReportSchedule).lastRunAt !== null;
  await until(() => Promise.resolve(updated.some(isRun)), 'the event of the run');
  await completed(row.id);
  await person.api(reportSchedules.remove, { params: { id: row.id } });
  await until(() => Promise.resolve(removed.length === 1), 'the event of the removal');
  expect(removed).toEqual([{ ids: [row.id] }]);
  expect(others).toEqual([]);
});

test('stops with a notification when its user is deactivated, and runs again when it is resumed', async () => {
  const { id } = await create();
  await world.db.query(`update users set is_active = false where id = $1`, [person.id]);
  await makeDue(id);
  const stopped = async () =>
    (
      await world.db.query(
        `select 1 from report_schedules where id = $1 and reason = 'forbidden'`,
        [id],
      )
    ).length > 0;
  await until(stopped, 'the end of the schedule');
  await world.db.query(`update users set is_active = true where id = $1`, [person.id]);
  expect(await get(id)).toMatchObject({ isActive: false, reason: 'forbidden', nextRunAt: null });
  const { data } = await person.api(notifications.find, {});
  expect(data[0]).toMatchObject({ type: 'ReportScheduleStopped', data: { id } });
  expect(await made(id)).toEqual([]);
  expect(await update(id, { isActive: true })).toMatchObject({ isActive: true, reason: null });
});

test('a schedule of an account that is gone can be paused and put back, but neither resumed nor given another one', async () => {
  const other = await world.person();
  const { id } = await create({ where: { OwnerId: person.id } });
  const gone = { OwnerId: other.id };
  await world.db.query(`update report_schedules set "where" = $2 where id = $1`, [id, gone]);
  await expect(update(id, { hour: 3 })).rejects.toMatchObject({ status: 404 });
  expect(await update(id, { isActive: false })).toMatchObject({ isActive: false, where: gone });
  expect(await update(id, { isActive: false, hour: 3, where: gone })).toMatchObject({
    hour: 3,
    nextRunAt: null,
  });
  await expect(update(id, { isActive: true })).rejects.toMatchObject({ status: 404 });
  const another = { OwnerId: (await world.person()).id };
  await expect(update(id, { where: another })).rejects.toMatchObject({ status: 404 });
  await expect(update(id, { preset: 'sendings.byAccount' })).rejects.toMatchObject({ status: 403 });
  expect(await get(id)).toMatchObject({ isActive: false, where: gone, hour: 3 });
  const own = { where: { OwnerId: person.id }, isActive: true };
  expect(await update(id, own)).toMatchObject(own);
});

test('a schedule whose time zone is no longer known keeps no other one waiting', async () => {
  const broken = await create();
  const { id } = await create();
  await world.db.query(`update report_schedules set time_zone = 'Mars/Olympus' where id = $1`, [
    broken.id,
  ]);
  await makeDue(broken.id, new Date(Date.now() - 2 * HOUR_MS));
  await makeDue(id);
  await completed(id);
  const next = await until(async () => {
    const { nextRunAt } = await get(broken.id);
    return Date.parse(nextRunAt!) > Date.now() && nextRunAt;
  }, 'the next attempt');
  expect(Date.parse(next) - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  expect(await made(broken.id)).toEqual([]);
});
