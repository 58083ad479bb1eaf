import { segments, sendings, suppressions } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AutomationRunsStore } from '../src/features/automations/automation-runs.store.ts';
import { PushDevicesStore } from '../src/features/push-devices/push-devices.store.ts';
import { ResendRecipientsStore } from '../src/features/tasks/resend-recipients.store.ts';
import { uuidv7 } from '../src/core/uuid.ts';
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

/** Tables with addresses that are looked up for a message or a contact. */
const LOOKED_UP = ['suppressions', 'sendings_incoming', 'link_clicks', 'push_devices'];

/** Without these ways a table is looked up for each row that asks. */
const OTHER_WAYS = ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan', 'material'];

const ADDRESS = /\b(address|phone|"from")\b/;

/**
 * By table, whether each look at it goes along an index to the address; also at tables that only a sweep of the worker looks at meanwhile.
 * A column of another collation than the index's is a filter.
 */
async function waysOf(work: () => Promise<unknown>): Promise<Map<string, boolean>> {
  const ways = new Map<string, boolean>();
  for (const [sql, parameters] of await statementsOf(work)) {
    if (
      !/^\s*(with|select|insert)/.test(sql) ||
      !LOOKED_UP.some((table) => sql.includes(`${table} `))
    )
      continue;
    for (const node of await planOf(world.db, sql, parameters, OTHER_WAYS)) {
      const table = node['Relation Name'] ?? '';
      if (!LOOKED_UP.includes(table)) continue;
      const isFiltered = ADDRESS.test(node.Filter ?? '');
      const isFound = ADDRESS.test(node['Index Cond'] ?? '');
      if (isFiltered || isFound)
        ways.set(table, (ways.get(table) ?? true) && isFound && !isFiltered);
    }
  }
  return ways;
}

test('a bulk and its submits find who has opted out along the index', async () => {
  const ListId = await contactList(world, owner.id, 3);
  await owner.api(suppressions.create, { body: { address: '+79161110001' } });
  let id = '';
  const ways = await waysOf(async () => {
    const body = {
      type: 'sms',
      recipient: { include: [ListId, '+79161110001', '+79161110002'] },
      payload: { sender: 'MIRTEA', text: 'Tea' },
      fallbacks: [
        {
          type: 'email',
          payload: { sender: 'MIRTEA', subject: 'Tea', text: 'Tea' },
          options: { onStatus: ['failed'] },
        },
      ],
    };
    ({ id } = (await owner.api(sendings.create, { body: body as never })) as { id: string });
    await finished(owner, id);
  });
  expect(ways.get('suppressions')).toBe(true);
  const recipients = world.api.get(ResendRecipientsStore, { strict: false });
  const count = (audience: 'failed' | 'unclicked') =>
    waysOf(() => recipients.count({ taskId: id, audience, field: 'phone', types: [1] }));
  expect((await count('failed')).get('suppressions')).toBe(true);
  const unclicked = await count('unclicked');
  expect(unclicked.get('suppressions')).toBe(true);
  expect(unclicked.get('link_clicks')).toBe(true);
});

test('contacts of a segment find their answers and clicks along the index', async () => {
  await contactList(world, owner.id, 3);
  for (const [event, table] of [
    ['replied', 'sendings_incoming'],
    ['clicked', 'link_clicks'],
  ] as const) {
    const activity = [{ event, happened: false, days: 30 }];
    const ways = await waysOf(() => owner.api(segments.preview, { body: { where: {}, activity } }));
    expect(ways.get(table)).toBe(true);
  }
});

test('silence and push messages find persons along the index', async () => {
  const now = world.clock.now();
  const { id: OwnerId } = await world.person();
  const runs = world.api.get(AutomationRunsStore, { strict: false });
  const automation = { id: uuidv7(now), OwnerId, scanList: null, scanAfter: null };
  const span = { from: new Date(now.getTime() - 86_400_000), until: now };
  const silence = await waysOf(() => runs.lookForSilence(automation as never, span, [1], now));
  expect(silence.get('sendings_incoming')).toBe(true);
  const devices = world.api.get(PushDevicesStore, { strict: false });
  const push = await waysOf(() => devices.ofMessages([uuidv7(now)], 'web-push'));
  expect(push.get('push_devices')).toBe(true);
});
