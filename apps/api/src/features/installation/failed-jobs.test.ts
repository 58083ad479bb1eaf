import {
  ADMINISTRATOR_GRANTS,
  audit,
  contactLists,
  contacts,
  installation,
  sendings,
} from '@heliograph/contract';
import { Queue } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MESSAGE } from '../../../test/scene.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { FailedJobs } from '../../core/jobs/failed-jobs.ts';
import { FailedJobsStore } from '../../core/jobs/failed-jobs.store.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { createLog } from '../../core/log.ts';
import { InstallationService } from './installation.service.ts';

let world: World;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await until(() => world.api.get(Jobs).ready(), 'Redis');
});
afterAll(() => world.stop());
beforeEach(() => world.db.query(`delete from failed_jobs`));

const listed = async (by = administrator) => (await by.api(installation.get, {})).failedJobs;
const fail = (name: string, queue: string, payload: object, error: unknown = new Error('full')) =>
  jobs().noteFailed({ name, queue, payload }, error);
const jobs = () =>
  new FailedJobs(world.api.get(FailedJobsStore), world.clock, createLog('silent', 'test'));
/** The payloads that wait in a queue. */
async function waiting(queue: string): Promise<unknown[]> {
  const connection = new Redis(world.config.REDIS_URL, { maxRetriesPerRequest: null });
  const its = new Queue(queue, { connection: connection as never, skipVersionCheck: true });
  const found = await its.getWaiting();
  await its.close();
  connection.disconnect();
  return found.map(({ data }) => data as unknown);
}

test('without failed jobs the list is empty', async () => {
  expect(await listed()).toEqual([]);
});

test('failures in a row are counted, and begin anew once it was done', async () => {
  const payload = { taskId: randomUUID() };
  await fail('task.expand', 'expand', payload);
  world.clock.forward(1);
  await fail('task.expand', 'expand', payload, new Error('still full'));
  expect(await listed()).toMatchObject([
    {
      name: 'task.expand',
      queue: 'expand',
      subject: payload.taskId,
      failures: 2,
      error: 'still full',
      doneAt: null,
    },
  ]);
  const worker = jobs();
  worker.noteDone('task.expand', payload);
  worker.noteDone('task.drop', payload);
  await worker.close();
  expect(await listed()).toMatchObject([{ failures: 2, doneAt: expect.any(String) }]);
  world.clock.forward(1);
  await fail('task.expand', 'expand', payload);
  expect(await listed()).toMatchObject([{ failures: 1, doneAt: null }]);
});

test('an error is listed short, without tokens, addresses, numbers and refused values', async () => {
  const refused = Object.assign(new Error('invalid input "+79001234567, Anna"'), {
    severity: 'ERROR',
  });
  await fail('report.make', 'documents', {}, refused);
  await fail(
    'webhooks.deliver',
    'webhooks',
    {},
    new Error(
      `anna@tea.example ${'hg_abcdefghjkmn'}_${'x'.repeat(40)} 79001234567 ${'long '.repeat(100)}`,
    ),
  );
  const rows = await listed();
  expect(rows).toHaveLength(2);
  for (const { error } of rows) {
    expect(error.length).toBeLessThanOrEqual(200);
    expect(error).not.toMatch(/Anna|anna@|9001234567|xxxx/);
  }
});

test('a retry queues the job again and is in the audit log; those that were done are left alone', async () => {
  const [one, two, done] = [randomUUID(), randomUUID(), randomUUID()].map((taskId) => ({ taskId }));
  for (const payload of [one, two, done]) await fail('task.drop', 'drops', payload!);
  await fail('sendings.poll', 'reports', {});
  const worker = jobs();
  worker.noteDone('task.drop', done!);
  await worker.close();
  const { id } = (await listed()).find(({ subject }) => subject === one!.taskId)!;
  const retried = await administrator.api(installation.retryJob, { params: { id } });
  expect(retried).toMatchObject({ id, retriedAt: expect.any(String) });
  await until(async () => (await waiting('drops')).length === 1, 'the job');
  expect(await waiting('drops')).toEqual([one]);

  const { data } = await administrator.api(installation.retryJobs, { body: { queue: 'drops' } });
  expect(data.map(({ subject }) => subject).toSorted()).toEqual(
    [one!.taskId, two!.taskId].toSorted(),
  );
  await until(async () => (await waiting('drops')).length === 3, 'the jobs');
  expect(await waiting('reports')).toEqual([]);
  const records = await administrator.api(audit.find, {
    query: { filter: { action: ['installation.retryJobs'] } },
  });
  expect(records.data[0]).toMatchObject({ after: { queue: 'drops', jobs: 2 } });
});

test('a removed job leaves the list, and what does not exist is not found', async () => {
  await fail('sendings.poll', 'reports', {});
  const { id } = (await listed())[0]!;
  expect(await administrator.api(installation.removeJob, { params: { id } })).toEqual({ id });
  expect(await listed()).toEqual([]);
  for (const call of [installation.removeJob, installation.retryJob])
    await expect(administrator.api(call, { params: { id } })).rejects.toMatchObject({
      status: 404,
    });
  const retry = (queue: string) => administrator.api(installation.retryJobs, { body: { queue } });
  for (const queue of ['webhook', 'toString', ''])
    await expect(retry(queue)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  expect(await retry('reports')).toEqual({ data: [] });
});

test('without Redis a retry is refused, and marks nothing', async () => {
  await fail('sendings.poll', 'reports', {});
  const { id } = (await listed())[0]!;
  const { base } = await world.startApi({ REDIS_URL: 'redis://127.0.0.1:1' });
  const api = world.client(administrator.token, base);
  await expect(api(installation.retryJob, { params: { id } })).rejects.toMatchObject({
    status: 503,
    code: 'unavailable',
  });
  expect(await listed()).toMatchObject([{ retriedAt: null }]);
});

test('who may only read sees them and changes nothing; others see nothing', async () => {
  await fail('sendings.poll', 'reports', {});
  const reader = await world.person({
    level: 'manager',
    grants: { add: ['installation.get'] },
  });
  const { id } = (await listed(reader))[0]!;
  const manager = await world.person({ level: 'manager' });
  for (const { api } of [reader, manager]) {
    const refusal = { status: 403 };
    await expect(api(installation.retryJob, { params: { id } })).rejects.toMatchObject(refusal);
    await expect(api(installation.removeJob, { params: { id } })).rejects.toMatchObject(refusal);
    await expect(api(installation.retryJobs, { body: { queue: 'reports' } })).rejects.toMatchObject(
      refusal,
    );
  }
  expect(await listed()).toMatchObject([{ id, retriedAt: null }]);
});

test('old failures, jobs of former versions and more than a thousand are dropped', async () => {
  await fail('sendings.poll', 'reports', {});
  world.clock.forward(31 * 86_400);
  await world.db.query(
    `insert into failed_jobs (name, queue, payload, failed_at, error)
     select 'task.drop', 'drops', jsonb_build_object('taskId', uuidv7()), $1, 'full' from generate_series(1, 1010)`,
    [world.clock.now()],
  );
  // The newest of all, and none of the thousand.
  world.clock.forward(1);
  await fail('former.job', 'former', {});
  await world.api.get(InstallationService, { strict: false }).keep();
  expect(
    await world.db.query(`select name, count(*)::int as n from failed_jobs group by name`),
  ).toEqual([{ name: 'task.drop', n: 1000 }]);
  expect(await listed()).toHaveLength(100);
});

test('a job that fails in a worker is listed, tried again, and then known as done', async () => {
  const owner = await world.person();
  const { id: ListId } = await owner.api(contactLists.create, {
    body: { title: 'Tea lovers', type: 'regular' },
  });
  await owner.api(contacts.create, { body: { ListId, phone: '+79001234567' } });
  await world.alone(`alter table sendings add constraint full_disk check (body <> 'Refused')`);
  await world.startWorker();
  const payload = { ...MESSAGE.payload, text: 'Refused' };
  const { groupId } = (await owner.api(sendings.create, {
    body: { ...MESSAGE, payload, recipient: { include: [ListId] } },
  })) as { groupId: string };
  const find = async () => (await listed()).find(({ subject }) => subject === groupId);
  await until(find, 'the failure');
  const failed = (await find())!;
  expect(failed).toMatchObject({ name: 'task.expand', queue: 'expand', doneAt: null });
  expect(failed.error).toContain('full_disk');
  await world.alone(`alter table sendings drop constraint full_disk`);
  await administrator.api(installation.retryJob, { params: { id: failed.id } });
  await until(async () => (await find())!.doneAt !== null, 'the job to be done');
  const sent = await owner.api(sendings.find, { query: { filter: { groupId } } });
  expect(sent.total).toBe(1);
});
