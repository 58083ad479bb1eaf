import { sendings, type SendingReceipt } from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { UnsubscribeLinksService } from '../../src/features/suppressions/unsubscribe-links.service.ts';
import { Carrier } from '../carrier.ts';
import { problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

/** Errors after a batch is marked as being submitted and before its driver is called. */
let world: World;
let worker: Awaited<ReturnType<World['startWorker']>>;
let carrier: Carrier;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  carrier = await Carrier.start(world, ['telegram', 'vk']);
  worker = await world.startWorker();
  owner = await world.person();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});

const links = () => vi.spyOn(worker.get(UnsubscribeLinksService, { strict: false }), 'link');
const send = (given: object = {}) =>
  owner.api(sendings.create, {
    body: {
      type: 'telegram',
      recipient: '+79161110001',
      payload: { sender: 'TEA', text: 'Tea is ready' },
      ...given,
    } as never,
  }) as Promise<SendingReceipt>;
const get = (id: string) => owner.api(sendings.get, { params: { id }, query: {} });
const batchOf = async (id: string) => {
  const [row] = await world.db.query<{ unknown: number; down: Date | null }>(
    `select b.unknown_outcomes as unknown, b.down_since as down
       from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!;
};

test('a message that could not be prepared is submitted once, by the next attempt', async () => {
  links().mockRejectedValueOnce(new Error('no link'));
  const { id } = await send();
  await until(async () => (await batchOf(id)).down !== null, 'the first attempt');
  expect(carrier.taken).not.toContain(id);
  world.clock.forward(11);
  await until(async () => carrier.taken.includes(id), 'the second attempt');
  expect(carrier.taken.filter((taken) => taken === id)).toHaveLength(1);
  expect(await batchOf(id)).toMatchObject({ unknown: 0 });
});

test('what cannot be prepared for a day fails, is refunded, and its fallback starts', async () => {
  const error = new Error('no link');
  links().mockRejectedValueOnce(error).mockRejectedValueOnce(error);
  const options = { onStatus: ['failed'] };
  const { id } = await send({
    fallbacks: [{ type: 'vk', payload: { sender: 'TEA', text: 'Tea' }, options }],
  });
  await until(async () => (await batchOf(id)).down !== null, 'the first attempt');
  world.clock.forward(86_400 + 11);
  await until(async () => (await get(id)).state.status === 'failed', 'the failure');
  expect((await get(id)).state.code).toBe('channel_down');
  await until(async () => carrier.taken.length === 2, 'the fallback');
  const [entry] = await world.db.query<{ refundedAt: Date | null }>(
    `select refunded_at as "refundedAt" from billings where id = $1`,
    [id],
  );
  expect(entry!.refundedAt).not.toBeNull();
  expect(await problems(world)).toEqual([]);
});
