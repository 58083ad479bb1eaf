import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../../../test/world.ts';
import { isConnectionLost } from './db.ts';

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

test('of a commit that lost its connection nothing tells whether it was done', async () => {
  const { db } = world;
  const ends: string[] = [];
  const note = () => {
    db.afterCommit(() => ends.push('commit'));
    db.afterFailure(() => ends.push('failure'));
    db.afterPossibleCommit(() => ends.push('possible'));
  };
  const lost = db.transaction(async () => {
    note();
    await db.query(`create temp table ending (n int)`);
    await db.query(
      `create function pg_temp.die() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`,
    );
    await db.query(
      `create constraint trigger at_commit after insert on ending deferrable initially deferred for each row execute function pg_temp.die()`,
    );
    await db.query(`insert into ending values (1)`);
  });
  await expect(lost).rejects.toSatisfy(isConnectionLost);
  expect(ends).toEqual(['failure', 'possible']);
  ends.length = 0;
  const failed = db.transaction(async () => {
    note();
    await db.query(`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(failed).rejects.toSatisfy(isConnectionLost);
  expect(ends).toEqual(['failure']);
  ends.length = 0;
  await db.transaction(async () => note());
  expect(ends).toEqual(['commit', 'possible']);
});
