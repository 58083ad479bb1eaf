import type { Bulk, Task } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { costOf, draftOf } from './task-cost.ts';

const task = (state: Task['state'], amount: number, total: number, expected: number) =>
  ({
    state,
    meta: {
      amount,
      counters: {
        expected,
        total,
        completed: 0,
        errored: 0,
        cancelled: 0,
        unknownOutcomes: 0,
        skipped: {},
      },
    },
  }) as Task;

it('estimates uncharged recipients at the average of the charged ones', () => {
  expect(costOf(task('running', 200, 100, 400), 20)).toEqual({
    charged: 200,
    refunded: 20,
    net: 180,
    forecast: 780,
  });
});

it('forecasts with the decimals of prices', () => {
  expect(costOf(task('running', 0.025, 2, 3), 0).forecast).toBe(0.0375);
});

it('knows nothing before anybody was charged for, and forecasts nothing when it is over', () => {
  expect(costOf(task('scheduled', 0, 0, 400), 0).forecast).toBeNull();
  expect(costOf(task('running', 200, 100, 100), 20).forecast).toBe(180);
  expect(costOf(task('stopped', 200, 100, 400), 20)).toMatchObject({ net: 180, forecast: null });
});

const data = (phones: number) =>
  ({
    OwnerId: 'o',
    data: {
      sending: { type: 'sms', groupId: 'g', payload: { sender: 'A', text: 'b' }, audioSeconds: {} },
      recipients: {
        include: { lists: ['l1'], recipients: Array.from({ length: phones }, (_, i) => `+7${i}`) },
        exclude: { lists: ['l2'], recipients: [] },
      },
    },
  }) as unknown as Bulk;

it('gives what will be sent, without what only the server knows', () => {
  expect(draftOf(data(1), data(1).data.recipients)).toEqual({
    type: 'sms',
    payload: { sender: 'A', text: 'b' },
    OwnerId: 'o',
    recipient: { include: ['l1', '+70'], exclude: ['l2'] },
  });
});

it('gives nothing when the list of phones was cut', () => {
  expect(draftOf(data(1000), data(1000).data.recipients)).toBeNull();
});
