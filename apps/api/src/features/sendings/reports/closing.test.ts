import { sendings, type SendingReceipt } from '@heliograph/contract';
import type { Status } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DriverPeer, accepted } from '../../../../test/driver.ts';
import { intoOneBatch } from '../../../../test/factories.ts';
import { World, type Person } from '../../../../test/world.ts';
import { DeadlinesService } from '../fallbacks/deadlines.service.ts';
import { ClosingStore } from './closing.store.ts';
import { ReportsService } from './reports.service.ts';

let world: World;
let peer: DriverPeer;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  peer = await DriverPeer.start(world, ['telegram', 'vk']);
});
afterAll(() => world.stop());
beforeEach(async () => {
  peer.send = (batch) => Promise.resolve(batch.map(accepted));
  owner = await world.person();
  await lookedAt();
});

const payload = { sender: 'TEA', text: 'Tea is ready' };
const get = <T>(type: abstract new (...args: never[]) => T): T =>
  world.api.get(type as never, { strict: false });
/** Closes what has ended; how many batches were looked at for it. */
const lookedAt = () => get(ClosingStore).close(world.clock.now(), 500);
const report = (id: string, status: Status) =>
  get(ReportsService).apply([{ id, status, at: world.clock.now() }]);

async function send(more: object = {}): Promise<string> {
  const body = { type: 'telegram', recipient: '+79161110001', payload, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as SendingReceipt).id;
}
async function isOpen(id: string): Promise<boolean> {
  const rows = await world.db.query<{ open: boolean }>(
    `select b.closed_at is null as open from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
    [id],
  );
  return rows[0]!.open;
}

test('a batch is closed when the last of its messages has ended', async () => {
  const [first, second] = [await send(), await send()];
  await intoOneBatch(world, [first, second]);
  await world.submit();
  await report(first, 'delivered');
  await lookedAt();
  expect(await isOpen(first)).toBe(true);
  await report(second, 'failed');
  await lookedAt();
  expect(await isOpen(first)).toBe(false);
});

test('what waits for its reports is not looked at', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) ids.push(await send());
  await world.submit();
  await lookedAt();
  for (const id of ids) await report(id, 'sent');
  expect(await lookedAt()).toBe(0);
  await report(ids[7]!, 'delivered');
  await report(ids[9]!, 'delivered');
  expect(await lookedAt()).toBe(2);
  expect(await Promise.all(ids.map(isOpen))).toEqual(ids.map((_, i) => i !== 7 && i !== 9));
});

test('a report that precedes the record of its submit closes the batch all the same', async () => {
  peer.send = async (batch) => {
    await report(batch[0]!.reference, 'delivered');
    // Being submitted, it cannot be closed yet.
    expect(await lookedAt()).toBe(1);
    return batch.map(accepted);
  };
  const id = await send();
  await world.submit();
  expect(await isOpen(id)).toBe(true);
  await lookedAt();
  expect(await isOpen(id)).toBe(false);
});

test('a batch whose fallback waits for a timer is closed after it', async () => {
  const options = { onTimeout: { timeout: 60, except: ['delivered'] } };
  const id = await send({ fallbacks: [{ type: 'vk', payload, options }] });
  await world.submit();
  await report(id, 'delivered');
  await lookedAt();
  expect(await isOpen(id)).toBe(true);
  world.clock.forward(61);
  await get(DeadlinesService).fireTimers();
  await lookedAt();
  expect(await isOpen(id)).toBe(false);
});
