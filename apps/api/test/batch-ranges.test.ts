import { sendings, tasks } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuietHoursStore } from '../src/features/quiet-hours/quiet-hours.store.ts';
import { DispatchStore } from '../src/features/sendings/dispatch/dispatch.store.ts';
import { QuietReleasesStore } from '../src/features/sendings/dispatch/quiet-releases.store.ts';
import { approve, contactList, finished } from './factories.ts';
import { planOf, statementsOf } from './plans.ts';
import { World, type Person } from './world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});
afterAll(() => world.stop());

/** Without these, only a statement that is bound to the range of each batch has the range at the scan. */
const INDEXES = ['indexscan', 'indexonlyscan', 'bitmapscan'];

test('messages of batches are read by the range of each batch, whatever the planner expects of the statuses', async () => {
  const ListId = await contactList(world, owner.id, 3);
  const store = <T>(type: abstract new (...given: never[]) => T): T =>
    world.api.get(type as never, { strict: false });
  const statements = await statementsOf(async () => {
    const body = {
      type: 'sms',
      recipient: { include: [ListId] },
      payload: { sender: 'MIRTEA', text: 'Tea' },
    };
    const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
    await finished(owner, id);
    await owner.api(tasks.unsent, { params: { id } });
    await store(DispatchStore).findSuperseded([
      { id: '1', firstId: id, lastId: id, attempt: 1 } as never,
    ]);
    await store(DispatchStore).dropEmpty(id, world.clock.now());
    await store(QuietReleasesStore).rows(['1']);
    await world.db.query(`insert into country_quiet_changes (due_at) values ($1)`, [
      world.clock.now(),
    ]);
    await store(QuietHoursStore).planCountryReleases(world.clock.now());
  });
  const ofBatches = [...statements].filter(
    ([sql]) => /^\s*(with|select|insert|update|delete)/.test(sql) && /\bfirst_id and\b/.test(sql),
  );
  const unbound: string[] = [];
  for (const [sql, parameters] of ofBatches) {
    const plan = await planOf(world.db, sql, parameters, INDEXES);
    if (plan.some((node) => node['Join Filter']?.includes('first_id'))) unbound.push(sql);
  }
  expect(unbound).toEqual([]);
  expect(ofBatches.length).toBeGreaterThanOrEqual(5);
});
