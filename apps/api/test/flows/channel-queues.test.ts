import { sendings, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DispatchStore } from '../../src/features/sendings/dispatch/dispatch.store.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let first: Person;
let second: Person;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'http'`);
  [first, second] = [
    await world.person({ balance: 100_000 }),
    await world.person({ balance: 100_000 }),
  ];
  for (const { id } of [first, second]) await approve(world, id);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const fallback = { type: 'sms', payload, options: { onStatus: ['failed'] } };

const single = async (who: Person, more: object = {}) => {
  const body = { type: 'viber', payload, recipient: '+79161234567', ...more };
  return ((await who.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
const bulk = async (who: Person, people: number) => {
  const recipient = { include: [await contactList(world, who.id, people)] };
  const body = { type: 'viber', payload, recipient };
  return ((await who.api(sendings.create, { body: body as never })) as { id: string }).id;
};
const pending = async (channel: string) => {
  const [row] = await world.db.query<{ n: number }>(
    `select coalesce(sum(size), 0)::int as n from batches where channel = $1 and stage in (0, 1)`,
    [channel],
  );
  return row!.n;
};
const ownersOf = async (references: string[]) => {
  const rows = await world.db.query<{ id: string; OwnerId: string }>(
    `select id, owner_id as "OwnerId" from sendings where id = any($1)`,
    [references],
  );
  const ownerOf = new Map(rows.map(({ id, OwnerId }) => [id, OwnerId]));
  return references.map((id) => ownerOf.get(id)!);
};

/** A carrier that answers its first calls when it is told to. */
async function waiting(connections: number, options: object = {}) {
  const carrier = await Carrier.start(world, ['viber'], { connections, ...options });
  const { promise, resolve } = Promise.withResolvers<void>();
  carrier.meanwhile = () => promise.then(() => ({ result: 'accepted' }));
  return { carrier, answer: resolve };
}

test('messages that have batches of their own go to the carrier together', async () => {
  const { carrier, answer } = await waiting(1);
  const held = await single(first, { fallbacks: [fallback] });
  await until(() => Promise.resolve(carrier.calls.length === 1), 'the first call');
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      single(i % 2 ? first : second, { fallbacks: [fallback], recipient: `+791612345${i + 10}` }),
    ),
  );
  answer();
  await until(() => Promise.resolve(carrier.taken.length === 21), 'all messages');
  expect(carrier.calls.map((messages) => messages.length)).toEqual([1, 20]);
  expect(carrier.taken.toSorted()).toEqual([held, ...ids].toSorted());
  const owners = await world.db.query(
    `select b.owner_id = s.owner_id as own from batches b join sendings s on s.batch_id = b.id where b.channel = $1`,
    [carrier.name],
  );
  expect(owners).toEqual(Array.from({ length: 21 }, () => ({ own: true })));
  expect(await problems(world)).toEqual([]);
});

test('codes precede singles, and both precede bulks', async () => {
  const { carrier, answer } = await waiting(1);
  await single(first);
  await until(() => Promise.resolve(carrier.calls.length === 1), 'the first call');
  await bulk(first, 3);
  await until(async () => (await pending(carrier.name)) === 3, 'the bulk');
  const plain = await single(first);
  const code = await single(first, { fallbacks: [fallback] });
  await world.db.query(
    `update batches b set priority = -1 from sendings s where s.id = $1 and b.id = s.batch_id`,
    [code],
  );
  answer();
  await until(() => Promise.resolve(carrier.taken.length === 6), 'all messages');
  expect(carrier.calls.map((messages) => messages.length)).toEqual([1, 1, 1, 3]);
  expect(carrier.taken.slice(1, 3)).toEqual([code, plain]);
});

test('accounts take turns: a large bulk does not delay the small one of a neighbour', async () => {
  const { carrier, answer } = await waiting(1, { maxBatch: 10 });
  await single(first);
  await until(() => Promise.resolve(carrier.calls.length === 1), 'the first call');
  await bulk(first, 300);
  await until(async () => (await pending(carrier.name)) === 300, 'the large one');
  await bulk(second, 30);
  await until(async () => (await pending(carrier.name)) === 330, 'the small one');
  answer();
  await until(() => Promise.resolve(carrier.taken.length === 331), 'all messages');
  const owners = await ownersOf(carrier.calls.slice(1).map(([message]) => message!.reference));
  // Three of ten messages, in turn with the first of the other.
  expect(owners.lastIndexOf(second.id)).toBeLessThanOrEqual(6);
  expect(owners.filter((id) => id === second.id)).toHaveLength(3);
});

test('a bulk at a slow carrier leaves room for a single message', async () => {
  const { carrier, answer } = await waiting(2, { maxBatch: 10 });
  await bulk(first, 50);
  await until(() => Promise.resolve(carrier.calls.length === 1), 'the first call');
  await until(async () => (await pending(carrier.name)) === 40, 'the rest');
  const id = await single(second);
  await until(() => Promise.resolve(carrier.calls.length === 2), 'the single message');
  expect(carrier.calls[1]!.map(({ reference }) => reference)).toEqual([id]);
  answer();
  await until(() => Promise.resolve(carrier.taken.length === 51), 'the rest');
});

test('due batches of a paused task neither make their channel due nor stand before others', async () => {
  const { carrier, answer } = await waiting(1, { maxBatch: 1 });
  const paused = await bulk(first, 40);
  await until(() => Promise.resolve(carrier.calls.length === 1), 'the first call');
  await until(async () => (await pending(carrier.name)) === 39, 'the rest');
  await first.api(tasks.update, { params: { id: paused }, body: { state: 'paused' } });
  answer();
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from batches where channel = $1 and stage = 3`,
      [carrier.name],
    );
    return row!.n === 1;
  }, 'the call to end');
  const [store] = [world.api.get(DispatchStore, { strict: false })];
  expect((await store.dueChannels(new Date())).map(({ name }) => name)).not.toContain(carrier.name);
  // Of the same account.
  const own = await bulk(first, 3);
  await until(() => Promise.resolve(carrier.taken.length === 4), 'the other bulk');
  const tasksOf = await world.db.query(
    `select distinct group_id as id from sendings where id = any($1)`,
    [carrier.taken.slice(1)],
  );
  expect(tasksOf).toEqual([{ id: own }]);
});
