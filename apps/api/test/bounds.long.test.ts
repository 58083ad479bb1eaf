import { BOUNDS, boundOf, contract, EFFECTS, webhooks, type Endpoint } from '@heliograph/contract';
import type { WebhookEvent } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleOf } from './samples.ts';
import { scene } from './scene.ts';
import { World, type Person } from './world.ts';

/** Endpoints of which the contract says that they add no rows, and those that they add once for a row that there is. */
const ROWLESS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([, def]) => def.method !== 'GET' || def.mutates)
    .filter(([, def]) => boundOf(def) === BOUNDS.nothing)
    .map(([verb, def]) => ({ name: `${noun}.${verb}`, noun, verb, def })),
);
const ONCE: Record<string, string[]> = {
  'notificationSettings.update': ['notification_settings'],
  'secondFactor.setUp': ['second_factors'],
  // The end of a session, and of its message.
  'otpHandler.complete': ['closing_batches', 'rollup_changes', 'webhook_events'],
  // The end of a task.
  'tasks.cancel': ['webhook_events'],
  // What administrators look at in other accounts.
  'routes.probe': ['audit_log'],
};

let world: World;
let reseller: Person;
let counts: () => Promise<Record<string, number>>;
beforeAll(async () => {
  world = await World.start({ DEMO: '1' });
  reseller = await world.person({ level: 'reseller' });
  const tables = await world.db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const each = tables.map(({ name }) => `'${name}', (select count(*) from "${name}")`);
  const objects = each.map((pair) => `jsonb_build_object(${pair})`);
  counts = async () => {
    const [row] = await world.db.query<{ counts: Record<string, number> }>(
      `select ${objects.join(' || ')} as counts`,
    );
    return row!.counts;
  };
});
afterAll(() => world.stop());

test.each(ROWLESS)('$name adds no rows', async ({ name, noun, verb, def }) => {
  const own = await scene(world, reseller);
  for (const event of Object.keys(EFFECTS.webhook) as WebhookEvent[])
    await own.owner.api(webhooks.create, {
      body: { title: event, event, url: 'http://127.0.0.1:9/' },
    });
  const { call, by = own.owner } = await sampleOf(noun, verb, own);
  const before = await counts();
  await by.api(def, call);
  const grown = Object.entries(await counts()).filter(([table, n]) => n > before[table]!);
  expect(grown.map(([table]) => table).toSorted()).toEqual(ONCE[name] ?? []);
});
