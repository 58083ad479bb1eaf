import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactIndexes, type Compacted } from '../src/compact-indexes.store.ts';
import { sender } from './flows/delivery.ts';
import { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const sizes = async () => {
  const all: Compacted[] = [];
  for await (const one of compactIndexes(world.db, ['billings'], 0)) all.push(one);
  return new Map(all.map((one) => [one.index, one]));
};

test('half-empty indexes are built anew, and what an interrupted run left is removed', async () => {
  const first = await sender(world, 1);
  const second = await sender(world, 1);
  const [owner, later] = [first.id, second.id].toSorted();
  const charge = (id: string, count: number) =>
    world.db.query(
      `insert into billings (id, owner_id, source, amount) select uuidv7(), $1, 4, -1 from generate_series(1, $2)`,
      [id, count],
    );
  // Pages of an account behind: the index does not grow at its end.
  await charge(later!, 1000);
  for (let i = 0; i < 20; i++) await charge(owner!, 1000);
  await world.db.query('create index billings_owner_source_ccnew on billings (owner_id)');
  await world.db.query(
    `update pg_index set indisvalid = false where indexrelid = 'billings_owner_source_ccnew'::regclass`,
  );

  const { before, after } = (await sizes()).get('billings_owner_source')!;
  expect(after).toBeLessThan(before * 0.7);
  const again = await sizes();
  expect([...again.keys()]).toContain('billings_pkey');
  expect([...again.keys()]).not.toContain('billings_owner_source_ccnew');
  expect(again.get('billings_owner_source')).toMatchObject({ before: after, after });
});
