import { sendings, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IntakeService } from '../../src/features/sendings/intake/intake.service.ts';
import { approve, finished, setCarrier } from '../factories.ts';
import { type Person, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id, 'MirTea');
});
afterAll(() => world.stop());

const payload = { sender: 'mIRTEA', text: 'Tea is ready' };
const senders = async (where: string, id: string) => {
  const rows = await world.db.query<{ sender: string }>(
    `select distinct sender from sendings where ${where} = $1`,
    [id],
  );
  return rows.map(({ sender }) => sender);
};

test('a name is sent as it was approved, whatever case was typed: single, bulk and fallback', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  const single = { type: 'sms', recipient: '+79161234567', payload, fallbacks };
  const { id } = (await owner.api(sendings.create, { body: single as never })) as SendingReceipt;
  const sending = await owner.api(sendings.get, { params: { id } });
  expect(sending.payload.sender).toBe('MirTea');
  expect(sending.fallbacks).toMatchObject([{ payload: { sender: 'MirTea' } }]);
  const bulk = { type: 'sms', recipient: { include: ['+79020000001'] }, payload };
  const task = (await owner.api(sendings.create, { body: bulk as never })) as { id: string };
  await finished(owner, task.id);
  expect(await senders('group_id', task.id)).toEqual(['MirTea']);
});

test('an automatic reply, too', async () => {
  const input = { type: 'sms' as const, recipient: '', payload, fallbacks: [] };
  const [receipt] = await world.db.transaction(() =>
    world.api
      .get(IntakeService, { strict: false })
      .answer(owner.id, { ...input, audioSeconds: {}, expiring: [] }, ['+79161234567'], {
        isExempt: false,
      }),
  );
  expect(receipt).toMatchObject({ status: 'pending' });
  expect(await senders('id', receipt!.id)).toEqual(['MirTea']);
});
