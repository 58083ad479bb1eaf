import { sendings, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DispatchStore } from '../../src/features/sendings/dispatch/dispatch.store.ts';
import { approve, contactList, finished, ended, problems, setCarrier } from '../factories.ts';
import { until, World } from '../world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, { failed: 0.3 });
  // From here on nothing listens where the API and the worker look for Redis.
  world.config = Object.assign(Object.create(world.config), { REDIS_URL: 'redis://127.0.0.1:9' });
  await world.startWorker();
});
afterAll(() => world.stop());

test('without Redis messages, bulks, reports and fallbacks go on, a message within the sweeps of two seconds', async () => {
  const { base } = await world.startApi();
  const owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  const api = world.client(owner.token, base);
  const payload = { sender: 'MIRTEA', text: 'Hello' };
  const options = { onStatus: ['failed'] };
  const fallbacks = [{ type: 'sms', payload, options }];
  const list = await contactList(world, owner.id, 3000);
  const recipient = { include: [list] };
  const body = { type: 'viber', payload, recipient, fallbacks };
  const { id } = (await api(sendings.create, { body: body as never })) as { id: string };
  expect((await finished(owner, id, 60_000)).meta.counters.total).toBe(3000);
  const looks = vi.spyOn(DispatchStore.prototype, 'dueChannels');
  for (let i = 0; i < 5; i++) {
    const single = (await api(sendings.create, {
      body: { type: 'sms', payload, recipient: `+7916123456${i}` } as never,
    })) as SendingReceipt;
    await ended(owner, single.id);
    const [row] = await world.db.query<{ from: Date; to: Date }>(
      `select uuid_extract_timestamp(s.id) as from, b.submitted_at as to
         from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
      [single.id],
    );
    const { from, to } = row!;
    // A sweep each half a second looks, and has a job look.
    const between = looks.mock.calls.filter(([at]) => at >= from && at <= to);
    expect(between.length).toBeLessThanOrEqual(8);
  }
  looks.mockRestore();
  // A stop needs a job, too.
  const stopped = (await api(sendings.create, {
    body: { ...body, schedule: { delay: 0, until: 12 } } as never,
  })) as { id: string };
  await until(
    async () => (await api(tasks.get, { params: { id: stopped.id } })).meta.counters.total > 0,
    'the stretched bulk',
  );
  await api(tasks.cancel, { params: { id: stopped.id } });
  await until(
    async () =>
      (
        await world.db.query(`select 1 from batches where task_id = $1 and stage in (0, 1)`, [
          stopped.id,
        ])
      ).length === 0,
    'the end of what waits',
    60_000,
  );
  expect(await problems(world)).toEqual([]);
});
