import {
  auth,
  contract,
  EFFECTS,
  hooks,
  inboundRules,
  notifications,
  otpWidgets,
  reportSchedules,
  tokens,
  webhooks,
  type Client,
  type Endpoint,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World, type Person } from './world.ts';

let world: World;
let manager: Person;
let customer: Person;
let borrowed: Client;
beforeAll(async () => {
  world = await World.start();
  manager = await world.person({ level: 'manager', name: 'helpful' });
  customer = await world.person({ managerId: manager.id });
  const session = await manager.api(auth.loginAs, { params: { id: customer.id } });
  borrowed = world.client(session.token);
});
afterAll(() => world.stop());

/** Resources of which each change acts after the call: those of the effects, tokens and what makes calls. */
const ACTING = {
  webhook: ['webhooks', 'hooks'],
  inboundRule: ['inboundRules'],
  optOuts: ['suppressions'],
  widget: ['otpWidgets'],
  signupForm: ['signupForms'],
  otpSettings: ['otpChannels', 'otpTemplates'],
  report: ['reportSchedules'],
  recurringSending: ['recurringSendings'],
  automation: ['automations'],
  integration: ['integrations'],
  // Acts in the call itself, or is announced when it is created and when it resumes.
  incoming: [],
  task: [],
} satisfies Record<keyof typeof EFFECTS, (keyof typeof contract)[]>;
/** Calls that only read, send once, order, or take effects away. */
const PASSING = [
  'webhooks.test',
  'webhooks.replay',
  'inboundRules.try',
  'inboundRules.reorder',
  'suppressions.create',
  'suppressions.import',
  'integrations.receive',
  'integrations.bitrix24',
  'otpWidgets.unblockPrefix',
];
const LASTING = [...Object.values(ACTING).flat(), 'tokens' as const].flatMap((resource) =>
  Object.entries(contract[resource] as Record<string, Endpoint>)
    .map(([name, def]) => [`${resource}.${name}`, def] as const)
    .filter(([name, { method }]) => !['GET', 'DELETE'].includes(method) && !PASSING.includes(name)),
);
test.each(LASTING)('%s is refused to impersonated sessions, or announced', (_, { lasting }) => {
  expect(lasting).toBeDefined();
});

const refused = { status: 403, body: { code: 'borrowed_session' } };
const HOOK = { title: 'Shop', event: 'tasks.state', url: 'http://127.0.0.1:9/' } as const;
const RULE = {
  title: 'Prices',
  mode: 'any' as const,
  actions: ['task' as const],
};

test('a impersonated session sets up no webhook and no token', async () => {
  await expect(borrowed(webhooks.create, { body: HOOK })).rejects.toMatchObject(refused);
  const hook = { event: HOOK.event, target_url: HOOK.url };
  await expect(borrowed(hooks.subscribe, { body: hook })).rejects.toMatchObject(refused);
  const body = { description: 'Mine' };
  await expect(borrowed(tokens.create, { body })).rejects.toMatchObject(refused);
});

test('nobody but the account redirects its webhook; others may pause it, which is announced', async () => {
  const { id } = await customer.api(webhooks.create, { body: HOOK });
  const params = { id };
  for (const field of [
    { url: 'http://127.0.0.1:8/' },
    { headers: [{ name: 'X-Mine', value: '1' }] },
    { body: '{}' },
    { method: 'GET' as const },
  ]) {
    await expect(borrowed(webhooks.update, { params, body: field })).rejects.toMatchObject(refused);
    await expect(manager.api(webhooks.update, { params, body: field })).rejects.toMatchObject({
      status: 403,
    });
  }
  const paused = await manager.api(webhooks.update, { params, body: { state: 'paused' } });
  expect(paused.state).toBe('paused');
  expect(await told()).toContainEqual({ username: 'helpful', title: 'Shop' });
});

const told = async () => {
  const { data } = await customer.api(notifications.find, { query: { limit: 100 } });
  return data.filter(({ type }) => type === 'AuthBorrowedChange').map((one) => one.data);
};

test('the account is told once what a impersonated session has set up', async () => {
  await borrowed(inboundRules.create, { body: RULE });
  await borrowed(otpWidgets.create, { body: { name: 'Sign-in' } });
  const schedule = {
    preset: 'sendings.byDay',
    frequency: 'daily',
    hour: 9,
    timeZone: 'UTC',
  } as const;
  await borrowed(reportSchedules.create, { body: { ...schedule, format: 'csv' } });
  const titles = (await told()).map(({ title }) => title);
  for (const title of ['Prices', 'Sign-in', 'sendings.byDay'])
    expect(titles.filter((one) => one === title)).toEqual([title]);
  // Its own changes are no news.
  const before = (await told()).length;
  await customer.api(inboundRules.create, { body: RULE });
  expect(await told()).toHaveLength(before);
});
