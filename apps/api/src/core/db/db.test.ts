import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test('a transaction whose failed statement was ignored is not taken for committed', async () => {
  const { db } = world;
  const ends: string[] = [];
  const work = db.transaction(async () => {
    db.afterCommit(() => ends.push('commit'));
    db.afterFailure(() => ends.push('failure'));
    await db.query(`select 1 / 0`).catch(() => undefined);
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(ends).toEqual(['failure']);
  // The connection serves others.
  await db.transaction(() => db.query(`select 1`));
});
