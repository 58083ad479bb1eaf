import type { Notification } from '@heliograph/contract';
import { notifications } from '@mantine/notifications';
import { beforeEach, expect, test, vi } from 'vitest';
import { ownResult } from '../../core/own-results.ts';
import { announce } from './announce.ts';

let told: (string | undefined)[];
beforeEach(() => {
  told = [];
  vi.spyOn(notifications, 'show').mockImplementation(({ id }) => {
    told.push(id);
    return id!;
  });
});

let last = 0;
const notification = (type: string, data: object, channel = 'web') =>
  ({ id: `n${++last}`, type, channel, data, title: null, text: null }) as unknown as Notification;

test('what others have done is a toast, in the cabinet alone', async () => {
  const created = notification('SendingsBulkCreated', { id: 't1', title: 'Sale' });
  const mailed = notification('SendingsBulkCreated', { id: 't1', title: 'Sale' }, 'email');
  const resumed = notification('SendingsBulkResumed', { id: 't2', title: 'Sale' });
  await announce([created, mailed, resumed], () => undefined);
  expect(told).toEqual([created.id, resumed.id]);
});

test('what this tab has made is none, also when the notification is before the answer', async () => {
  let answer!: (row: { id: string }) => void;
  const call = new Promise<{ id: string }>((done) => (answer = done));
  void ownResult('SendingsBulkCreated', call, ({ id }) => id);
  const own = notification('SendingsBulkCreated', { id: 't3', title: 'Own' });
  const other = notification('SendingsBulkCreated', { id: 't4', title: 'Of a program' });
  const announced = announce([own, other], () => undefined);
  answer({ id: 't3' });
  await announced;
  expect(told).toEqual([other.id]);
});

test('a refused call hides nothing', async () => {
  await ownResult('WapiCreated', Promise.reject(new Error('402')), () => 'w1').catch(() => null);
  const created = notification('WapiCreated', { id: 'w1', phone: null });
  await announce([created], () => undefined);
  expect(told).toEqual([created.id]);
});

test('a pause for a reason is told also after an own pause of the same task', async () => {
  await ownResult('SendingsBulkPaused', Promise.resolve({}), () => 't5');
  const own = notification('SendingsBulkPaused', { id: 't5', title: 'Sale', reason: null });
  const broke = { id: 't5', title: 'Sale', reason: 'insufficient_funds' };
  const paused = notification('SendingsBulkPaused', broke);
  await announce([paused, own], () => undefined);
  expect(told).toEqual([paused.id]);
});
