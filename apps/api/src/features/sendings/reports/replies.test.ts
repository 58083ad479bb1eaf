import { sendings, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Db } from '../../../core/db/db.ts';
import { DriverPeer } from '../../../../test/driver.ts';
import { World, type Person } from '../../../../test/world.ts';
import { RepliesStore } from './replies.store.ts';

let world: World;
let peer: DriverPeer;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  peer = await DriverPeer.start(world, ['telegram']);
});
afterAll(() => world.stop());

async function send(who: Person, recipient: string, sender: string): Promise<string> {
  const body = { type: 'telegram', recipient, payload: { sender, text: 'Tea' } };
  const { id } = (await who.api(sendings.create, { body: body as never })) as SendingReceipt;
  await world.submit();
  expect(peer.calls.flat()).toContain(id);
  return id;
}
const typeOf = async (id: string) =>
  (await world.db.query<{ type: number }>(`select type from sendings where id = $1`, [id]))[0]!
    .type;

test('an incoming message is to the account that wrote last, and is found without a look at each account', async () => {
  await world.db.query(
    `insert into users (id, owner_id, username, password_hash, level)
     select id, id, 'neighbour' || n, '', 'me' from (select uuidv7() as id, n from generate_series(1, 3000) n) g`,
  );
  // As in an installation in which they all have sent.
  await world.db.query(
    `insert into batches (owner_id, channel, type, attempt, priority, stage, size, first_id, last_id, due_at)
     select id, $1, 3, 0, 0, 3, 1, id, id, now() from users where username like 'neighbour%'`,
    [peer.name],
  );
  await world.db.query(
    `insert into sendings (id, owner_id, batch_id, type, attempt, is_last, segments, amount, sender, phone)
     select uuidv7(), b.owner_id, b.id, 3, 0, true, 1, 0, 'TEA', '+7902' || lpad(b.id::text, 7, '0') from batches b, generate_series(1, 3)
      where b.channel = $1`,
    [peer.name],
  );
  await world.db.query('analyze sendings');
  const [first, second] = [await world.person(), await world.person()];
  await send(first, '+79161110001', 'TEA');
  const last = await send(second, '+79161110001', 'tea');
  await send(second, '+79161110001', 'COFFEE');
  const type = await typeOf(last);
  const db = world.api.get(Db);
  const spy = vi.spyOn(db, 'query');
  const messages = [
    { type, sender: 'TEA', phone: '+79161110001' },
    { type, sender: 'TEA', phone: '+79161110009' },
  ];
  const found = await world.api
    .get(RepliesStore, { strict: false })
    .lastSendings(messages, null, world.clock.now());
  expect(found).toEqual([
    { id: last, OwnerId: second.id, sender: 'tea', phone: '+79161110001' },
    undefined,
  ]);
  const [sql, parameters] = spy.mock.lastCall!;
  spy.mockRestore();
  const [plan] = await world.db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    parameters,
  );
  const { Plan: root } = plan!['QUERY PLAN'][0];
  expect(root['Shared Hit Blocks']! + root['Shared Read Blocks']!).toBeLessThan(60);
});

test('a reply to one account is not that to its neighbour', async () => {
  const [first, second] = [await world.person(), await world.person()];
  const own = await send(first, '+79161110002', 'TEA');
  await send(second, '+79161110002', 'TEA');
  const [found] = await world.api
    .get(RepliesStore, { strict: false })
    .lastSendings(
      [{ type: await typeOf(own), sender: 'TEA', phone: '+79161110002' }],
      first.id,
      world.clock.now(),
    );
  expect(found).toMatchObject({ id: own, OwnerId: first.id });
});
