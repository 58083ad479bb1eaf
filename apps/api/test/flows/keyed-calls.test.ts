import {
  documentTemplates,
  hooks,
  integrations,
  invoices,
  payments,
  recurrentPayments,
  tokens,
  webhooks,
  type Endpoint,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sidesOf } from '../samples/documents.ts';
import { type Person, World } from '../world.ts';

/** Requests that call another party after their effect: what a lost answer, a second press and a killed process leave. */
let world: World;
let who: Person;
let sides: { requisiteId: string; companyId: string };

beforeAll(async () => {
  world = await World.start();
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  who = await world.person({ managerId: manager.id });
  sides = await sidesOf(world, who);
});
afterAll(() => world.stop());

let last = 0;
const nextKey = () => ({ 'idempotency-key': `call-${++last}` });

interface Case {
  name: string;
  endpoint: Endpoint;
  body: () => object;
  table: string;
  /** Its secret is stored as a hash: after a kill nobody knows it, and there is another one. */
  isRenewed?: true;
}
const CASES: Case[] = [
  {
    name: 'a payment',
    endpoint: payments.create,
    body: () => ({ amount: 500, method: 'sandbox' }),
    table: 'payments',
  },
  {
    name: 'a recurring payment',
    endpoint: recurrentPayments.create,
    body: () => ({
      type: 'frequency',
      frequency: 'monthly',
      amount: 300,
      method: 'sandbox',
      isOfferAccepted: true,
    }),
    table: 'recurrent_payments',
  },
  {
    name: 'an invoice',
    endpoint: invoices.create,
    body: () => ({ ...sides, amount: 1000 }),
    table: 'invoices',
  },
  {
    name: 'an invoice of the generation',
    endpoint: documentTemplates.generate,
    body: () => ({ type: 'invoice', ...sides, data: { SERVICE_PRICE: 700 } }),
    table: 'invoices',
  },
  {
    name: 'a webhook',
    endpoint: webhooks.create,
    body: () => ({ title: 'Shop', event: 'sendings.status', url: 'http://127.0.0.1:9/hook' }),
    table: 'webhooks',
  },
  {
    name: 'a REST hook',
    endpoint: hooks.subscribe,
    body: () => ({ event: 'sendings.status', target_url: 'http://127.0.0.1:9/hook' }),
    table: 'webhooks',
  },
  {
    name: 'an integration',
    endpoint: integrations.create,
    body: () => ({
      title: 'CRM',
      kind: 'crm',
      sender: 'MIRTEA',
      recipient: 'phone',
      text: '{{ text }}',
    }),
    table: 'integrations',
    isRenewed: true,
  },
];

const post = async (endpoint: Endpoint, body: object, key: Record<string, string>) => {
  const response = await fetch(`${world.base}/api${endpoint.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: who.token, ...key },
    body: JSON.stringify(body),
  });
  const replay = response.headers.get('idempotency-replay');
  const requestId = response.headers.get('x-request-id');
  return { status: response.status, json: (await response.json()) as Answer, replay, requestId };
};
interface Answer {
  id?: string;
  url?: string;
  secret?: string;
  code?: string;
}
const countOf = async (table: string) => {
  const [row] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from ${table} where owner_id = $1`,
    [who.id],
  );
  return row!.n;
};

test.each(CASES)('$name: a repeat gets the answer of the first', async (it) => {
  const before = await countOf(it.table);
  const key = nextKey();
  const first = await post(it.endpoint, it.body(), key);
  const again = await post(it.endpoint, it.body(), key);
  expect(first).toMatchObject({ status: 201, replay: null });
  expect(again).toMatchObject({ ...first, replay: 'true', requestId: again.requestId });
  expect(await countOf(it.table)).toBe(before + 1);
});

test.each(CASES)('$name: ten presses at once have one effect', async (it) => {
  const before = await countOf(it.table);
  const key = nextKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(it.endpoint, it.body(), key)),
  );
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  for (const { status, json } of answers.filter((a) => a.status !== 201))
    expect([status, json.code]).toEqual([409, 'idempotency_running']);
  expect(await countOf(it.table)).toBe(before + 1);
});

test.each(CASES)('$name: after a kill before the answer, a repeat finds the effect', async (it) => {
  const before = await countOf(it.table);
  const key = nextKey();
  const first = await post(it.endpoint, it.body(), key);
  const killed = (runningUntil: string) =>
    world.db.query(
      `update idempotency_keys set status = null, answer = null, running_until = ${runningUntil}
        where owner_id = $1 and key = $2`,
      [who.id, key['idempotency-key']],
    );
  // Its process may still be there.
  await killed(`now() + interval '1 minute'`);
  expect(await post(it.endpoint, it.body(), key)).toMatchObject({
    status: 409,
    json: { code: 'idempotency_running' },
  });
  await killed('now()');
  const again = await post(it.endpoint, it.body(), key);
  const { id, url, secret } = again.json;
  expect([again.status, id, secret]).toEqual([201, first.json.id, first.json.secret]);
  expect(url === first.json.url).toBe(!it.isRenewed);
  expect(await post(it.endpoint, it.body(), key)).toMatchObject({ replay: 'true' });
  expect(await countOf(it.table)).toBe(before + 1);
});

test('an acquirer that gives no answer: the same payment is opened by the repeat', async () => {
  const before = await countOf('payments');
  const key = nextKey();
  const body = { amount: 640, method: 'sandbox' };
  const { port } = new URL(world.acquirer.url);
  world.acquirer.stop();
  expect(await post(payments.create, body, key)).toMatchObject({ status: 503 });
  await world.acquirer.start(Number(port));
  const again = await post(payments.create, body, key);
  expect(again).toMatchObject({ status: 201, replay: null, json: { status: 'init' } });
  expect(await countOf('payments')).toBe(before + 1);
});

test('a key names one request: another sum with it is refused, before and after the answer', async () => {
  const key = nextKey();
  const body = { amount: 500, method: 'sandbox' };
  await post(payments.create, body, key);
  const other = () => post(payments.create, { ...body, amount: 501 }, key);
  const mismatch = { status: 422, json: { code: 'idempotency_mismatch' } };
  expect(await other()).toMatchObject(mismatch);
  await world.db.query(
    `update idempotency_keys set status = null, running_until = now() where key = $1`,
    [key['idempotency-key']],
  );
  expect(await other()).toMatchObject(mismatch);
});

test('what is refused before it has an effect is refused again by the same key', async () => {
  const key = nextKey();
  const body = { amount: 900_000, method: 'sandbox' };
  const first = await post(payments.create, body, key);
  expect(first).toMatchObject({ status: 422, replay: null });
  const { status, json } = first;
  expect(await post(payments.create, body, key)).toMatchObject({ status, json, replay: 'true' });
});

test('the record of the audit log is written once', async () => {
  const key = nextKey();
  const body = { amount: 505, method: 'sandbox' };
  const first = await post(payments.create, body, key);
  const { json } = first;
  await world.db.query(
    `update idempotency_keys set status = null, running_until = now() where key = $1`,
    [key['idempotency-key']],
  );
  const again = await post(payments.create, body, key);
  const requests = [first, again].map(({ requestId }) => requestId);
  const rows = await world.db.query(
    `select action from audit_log where owner_id = $1 and (target_id = $2 or request_id = any ($3))`,
    [who.id, json.id, requests],
  );
  expect(rows).toEqual([{ action: 'payments.create' }]);
});

test.each([
  {
    name: 'a token',
    make: tokens.create,
    body: { description: 'Shop', permissions: ['contacts.get'] },
    rotate: tokens.rotate,
    rotation: { overlapDays: 1 },
  },
  {
    name: 'a webhook',
    make: webhooks.create,
    body: { title: 'Shop', event: 'sendings.status', url: 'http://127.0.0.1:9/hook' },
    rotate: webhooks.rotate,
    rotation: { overlapHours: 24 },
  },
  {
    name: 'an integration',
    make: integrations.create,
    body: { title: 'CRM', kind: 'crm', sender: 'MIRTEA', recipient: 'phone', text: '{{ text }}' },
    rotate: integrations.rotate,
    rotation: {},
  },
])(
  '$name is rotated once: the secret in use stays valid, and a repeat gets the new one',
  async (it) => {
    const made = await post(it.make, it.body, nextKey());
    const endpoint = { ...it.rotate, path: it.rotate.path.replace(':id', made.json.id!) };
    const key = nextKey();
    const first = await post(endpoint, it.rotation, key);
    const again = await post(endpoint, it.rotation, key);
    expect(first).toMatchObject({ status: 200, replay: null });
    expect(again).toMatchObject({ status: 200, json: first.json, replay: 'true' });
  },
);

test('a repeat gets the same secret of a token, which is nowhere stored as it is', async () => {
  const key = nextKey();
  const body = { description: 'Shop', permissions: ['contacts.get'] };
  const first = await post(tokens.create, body, key);
  const again = await post(tokens.create, body, key);
  expect(first.status).toBe(201);
  expect(again).toMatchObject({ status: 201, json: first.json, replay: 'true' });
  const [row] = await world.db.query<{ kept: string }>(
    `select answer::text as kept from idempotency_keys where owner_id = $1 and key = $2`,
    [who.id, key['idempotency-key']],
  );
  expect(row!.kept).not.toContain((first.json as { token: string }).token);
});

test('a secret is given again to who has asked for it, and to no other token or user with the same key', async () => {
  const body = {
    title: 'Replies',
    url: 'https://93.184.216.34/a',
    event: 'sendingsIncoming.created',
  };
  const permissions = ['webhooks.create', 'webhooks.update'] as const;
  const byToken = async (more: readonly 'sendingsIncoming.get'[] = []) => {
    const given = { description: 'Program', permissions: [...permissions, ...more] };
    return world.client((await who.api(tokens.create, { body: given })).token);
  };
  const program = await byToken(['sendingsIncoming.get']);
  const others = [who.api, await byToken(['sendingsIncoming.get']), await byToken()];
  const calls = [{ endpoint: webhooks.create as Endpoint, call: { body } as object }];
  for (const { endpoint, call } of calls) {
    const keyed = { ...call, headers: nextKey() } as never;
    const first = (await program(endpoint, keyed)) as { id: string; secret: string };
    expect(await program(endpoint, keyed)).toMatchObject({ secret: first.secret });
    for (const other of others)
      await expect(other(endpoint, keyed)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    if (endpoint === webhooks.create)
      calls.push({ endpoint: webhooks.rotate, call: { params: { id: first.id }, body: {} } });
  }
});
