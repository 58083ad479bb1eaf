import { sendings, tasks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { type Person, World } from '../../../test/world.ts';
import { OtherTasksService } from './other-tasks.service.ts';
import { TaskSweepsService } from './task-sweeps.service.ts';
import type { NewOtherTask } from './tasks.types.ts';

let world: World;
let service: OtherTasksService;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  service = world.api.get(OtherTasksService);
  manager = await world.person({ level: 'manager' });
});
afterAll(() => world.stop());

async function open(who: Person, type: NewOtherTask['type'], expected = 3): Promise<NewOtherTask> {
  const data =
    type === 'payments:recurrent'
      ? { recurrent: { RecurrentPaymentId: uuidv7(), PaymentId: null } }
      : { operations: { filename: 'bonuses.xlsx', rows: expected, ReportId: null } };
  const task = { id: uuidv7(), OwnerId: who.id, userId: who.id, type, title: 'T', data, expected };
  await service.open(task);
  return task;
}
const shown = (who: Person, id: string) => who.api(tasks.get, { params: { id } });
const set = (who: Person, id: string, state: 'paused' | 'scheduled' | 'stopped') =>
  who.api(tasks.update, { params: { id }, body: { state } });

test('a task of another type is listed with its data, advances and ends once', async () => {
  const who = await world.person();
  const task = await open(who, 'payments:recurrent', 1);
  const { data } = await who.api(tasks.find, {
    query: { filter: { type: ['payments:recurrent'] } },
  });
  expect(data).toMatchObject([{ id: task.id, state: 'running', data: task.data }]);
  const bulks = await who.api(tasks.find, { query: { filter: { type: ['sendings:bulk'] } } });
  expect(bulks.total).toBe(0);
  await service.progress(task, { completed: 1 });
  expect((await shown(who, task.id)).meta.counters).toMatchObject({ expected: 1, completed: 1 });
  expect(await service.finish(task, 'completed')).toBe(true);
  expect(await service.finish(task, 'failed')).toBe(false);
  expect(await shown(who, task.id)).toMatchObject({ state: 'completed', reason: null });
});

test('the sweeps of bulks leave other tasks alone', async () => {
  const who = await world.person();
  const { id } = await open(who, 'billings:operations');
  await world.db.query(`update tasks set updated_at = now() - interval '1 hour' where id = $1`, [
    id,
  ]);
  const sweeps = world.api.get(TaskSweepsService, { strict: false });
  await sweeps.startDue();
  await sweeps.completeFinished();
  expect(await shown(who, id)).toMatchObject({ state: 'running' });
});

test('the charge of a recurrent payment is neither paused nor stopped', async () => {
  const who = await world.person();
  const { id } = await open(who, 'payments:recurrent');
  await expect(set(who, id, 'paused')).rejects.toMatchObject({ status: 409 });
  await expect(who.api(tasks.cancel, { params: { id } })).rejects.toMatchObject({ status: 409 });
  await expect(who.api(tasks.remove, { params: { id } })).rejects.toMatchObject({ status: 409 });
});

test('an operation is paused, resumed and stopped by who may enter money', async () => {
  const { id } = await open(manager, 'billings:operations');
  expect(await set(manager, id, 'paused')).toMatchObject({ state: 'paused' });
  expect(await service.lock(id, 'billings:operations')).toBeUndefined();
  expect(await set(manager, id, 'scheduled')).toMatchObject({ state: 'running' });
  expect(await set(manager, id, 'stopped')).toMatchObject({ state: 'stopped' });
  const customer = await world.person();
  const other = await open(customer, 'billings:operations');
  await expect(set(customer, other.id, 'paused')).rejects.toMatchObject({ status: 403 });
});

test('the group of a message is a bulk', async () => {
  const { id } = await open(manager, 'billings:operations');
  await expect(manager.api(sendings.get, { params: { id }, query: {} })).rejects.toMatchObject({
    status: 404,
  });
});
