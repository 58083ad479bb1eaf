import { automations, recurringSendings, sendings, tasks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pauseSending } from '../src/pause-sending.store.ts';
import { approve, setCarrier } from './factories.ts';
import { bulk, sender } from './flows/delivery.ts';
import { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
});
afterAll(() => world.stop());

test('after a restore nothing is sent by itself: what is due, recurs or waits for people is paused', async () => {
  const { api, id, list } = await sender(world, 3);
  await approve(world, id);
  const payload = { sender: 'MIRTEA', text: 'Tea' };
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const due = await bulk(api, list, { schedule: { delay: inHours(1) } });
  const later = await bulk(api, list, { schedule: { delay: inHours(9) } });
  const often = await api(recurringSendings.create, {
    body: {
      title: 'Daily',
      type: 'viber',
      payload,
      recipient: { include: [list] },
      frequency: 'daily',
      time: '09:30',
      timeZone: 'UTC',
    } as never,
  });
  const greets = await api(automations.create, {
    body: {
      title: 'Welcome',
      timeZone: 'UTC',
      isActive: true,
      trigger: { when: 'listed', ListId: list },
      steps: [{ do: 'message', type: 'viber', ...payload }],
    } as never,
  });
  await api(sendings.create, {
    body: { type: 'viber', recipient: '+79161000009', payload } as never,
  });
  const paused = () => pauseSending(world.db, new Date(inHours(2)));
  expect(await paused()).toEqual({ bulks: 1, recurring: 1, automations: 1, pending: 1 });
  const state = async ({ id: one }: { id: string }) =>
    (await api(tasks.get, { params: { id: one } })).state;
  expect(await state(due)).toBe('paused');
  expect(await state(later)).toBe('scheduled');
  const params = (one: { id: string }) => ({ params: { id: one.id } });
  expect(await api(recurringSendings.get, params(often))).toMatchObject({
    isActive: false,
    nextRunAt: null,
  });
  expect((await api(automations.get, params(greets))).isActive).toBe(false);
  expect(await paused()).toMatchObject({ bulks: 0, recurring: 0, automations: 0 });
});
