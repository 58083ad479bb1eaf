import {
  conversations,
  sendings,
  sendingsIncoming,
  tasks,
  type Sending,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signed } from '../../src/core/http/standard-webhooks.ts';
import { Db } from '../../src/core/db/db.ts';
import { PollService } from '../../src/features/sendings/reports/poll.service.ts';
import { RepliesStore } from '../../src/features/sendings/reports/replies.store.ts';
import { Carrier } from '../carrier.ts';
import { balance, contactList, finished, problems } from '../factories.ts';
import { statementsOf } from '../statements.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
/** Channels of the first and of the second attempts. */
let first: Carrier;
let second: Carrier;

beforeAll(async () => {
  world = await World.start();
  first = await Carrier.start(world, ['telegram'], { maxBatch: 400 });
  second = await Carrier.start(world, ['vk']);
  await world.startWorker();
});
afterAll(async () => {
  await world.stop();
  first.stop();
  second.stop();
});
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
  first.meanwhile = () => Promise.resolve({ result: 'accepted' });
  second.isBusy = false;
});

const payload = { sender: 'TEA', text: 'Tea is ready' };
const later = (type: string, onStatus = ['failed']) => ({ type, payload, $options: { onStatus } });
const REPLY = { onIncomingPayload: { text: 'yes' } };
let phone = 9020000000;

async function send(fallbacks: object[] = []): Promise<string> {
  const recipient = `+7${phone++}`;
  const body = { type: 'telegram', payload, recipient, fallbacks };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const submitted = (id: string) =>
  until(async () => {
    const sending = await get(id);
    return sending.state.status === 'sent' && sending;
  }, `the submit of ${id}`);
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const statusOf = async (id: string) => (await get(id)).state.status;
const at = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
const successorOf = (id: string, attempt = 1) =>
  until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { chainId: id } } });
    return data.find((s) => s.attempt === attempt);
  }, `attempt ${attempt} of ${id}`);
const resultsOf = async (answer: ReturnType<Carrier['report']>) =>
  ((await answer).json as { results: { result: string }[] }).results.map((r) => r.result);

test('statuses only advance; late, repeated and unordered reports change nothing', async () => {
  const id = await send();
  await submitted(id);
  const report = (status: 'sent' | 'delivered' | 'seen' | 'failed') =>
    resultsOf(first.report([{ reference: id, status, at: at(0) }]));
  expect(await report('delivered')).toEqual(['applied']);
  const { deliveredAt } = await get(id);
  for (const again of ['delivered', 'sent', 'failed'] as const)
    expect(await report(again)).toEqual(['ignored']);
  expect(await get(id)).toMatchObject({ state: { status: 'delivered' }, deliveredAt });
  expect(await report('seen')).toEqual(['applied']);
  expect(await report('delivered')).toEqual(['ignored']);
  expect(await report('failed')).toEqual(['ignored']);
  expect(await get(id)).toMatchObject({ state: { status: 'seen', error: null }, deliveredAt });
  expect(await problems(world)).toEqual([]);
});

test('several reports of one sending in a call come to one status, whatever their order', async () => {
  const id = await send();
  await submitted(id);
  const [sent, delivered, seen] = [at(1), at(2), at(3)];
  await first.report([
    { reference: id, status: 'seen', at: seen },
    { reference: id, status: 'failed', code: 'expired', at: sent },
    { reference: id, status: 'delivered', at: delivered },
    { reference: id, status: 'seen', at: at(9) },
    { reference: id, status: 'sent', at: sent },
  ]);
  expect(await get(id)).toMatchObject({
    state: { status: 'seen', code: null },
    deliveredAt: delivered,
    seenAt: seen,
    meta: { billing: { refunded: false } },
  });
  const only = await send();
  await submitted(only);
  await first.report([{ reference: only, status: 'seen', at: seen }]);
  expect(await get(only)).toMatchObject({ deliveredAt: seen, seenAt: seen });
  expect(await problems(world)).toEqual([]);
});

test('a failure is refunded once; a late delivery replaces it and the refund remains', async () => {
  const id = await send();
  await submitted(id);
  const failed = { reference: id, status: 'failed' as const, code: 'absent_subscriber', at: at(0) };
  await Promise.all([first.report([failed, failed]), first.report([failed])]);
  expect(await get(id)).toMatchObject({
    state: { status: 'failed', code: 'absent_subscriber', error: expect.any(String) },
    meta: { billing: { refunded: true } },
  });
  expect(await balance(world, owner.id)).toBe(10_000);
  expect(
    await resultsOf(first.report([{ reference: id, status: 'delivered', at: at(1) }])),
  ).toEqual(['applied']);
  expect(await resultsOf(first.report([failed]))).toEqual(['ignored']);
  expect(await get(id)).toMatchObject({
    state: { status: 'delivered', code: null },
    failedAt: null,
    meta: { billing: { refunded: true } },
  });
  expect(await balance(world, owner.id)).toBe(10_000);
  expect(await problems(world)).toEqual([]);
});

test('a late delivery supersedes a successor that is not submitted, and no fallback follows', async () => {
  second.isBusy = true;
  const id = await send([later('vk'), later('viber')]);
  await submitted(id);
  await first.report([{ reference: id, status: 'failed', code: 'temporary' }]);
  const next = await successorOf(id);
  expect(['pending', 'processing']).toContain(next.state.status);
  await first.report([{ reference: id, status: 'delivered' }]);
  // Immediately, or after the running submit.
  await until(async () => {
    const waiting = `select 1 from batches b join sendings s on s.batch_id = b.id where s.id = $1 and b.stage = 0 and b.due_at > $2`;
    // Only while it waits: the lease of a running submit must not end.
    if ((await world.db.query(waiting, [next.id, world.clock.now()])).length)
      world.clock.forward(2);
    return (await get(next.id)).state.code === 'superseded';
  }, 'the end of it');
  second.isBusy = false;
  world.clock.forward(10);
  expect(await get(next.id)).toMatchObject({
    state: { status: 'failed' },
    meta: { billing: { refunded: true } },
  });
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(second.taken).not.toContain(next.id);
  const { total } = await owner.api(sendings.find, { query: { filter: { chainId: id } } });
  expect(total).toBe(2);
  expect(await statusOf(id)).toBe('delivered');
  expect(await balance(world, owner.id)).toBe(10_000);
  expect(await problems(world)).toEqual([]);
});

test('a late delivery does not affect a submitted successor', async () => {
  const id = await send([later('vk')]);
  await submitted(id);
  await first.report([{ reference: id, status: 'failed', code: 'temporary' }]);
  const next = await successorOf(id);
  await submitted(next.id);
  await first.report([{ reference: id, status: 'delivered' }]);
  expect(await statusOf(next.id)).toBe('sent');
  await second.report([{ reference: next.id, status: 'delivered' }]);
  expect([await statusOf(id), await statusOf(next.id)]).toEqual(['delivered', 'delivered']);
  expect((await get(next.id)).meta.billing!.refunded).toBe(false);
  expect(await problems(world)).toEqual([]);
});

test('a superseded attempt still takes receipts but starts nothing', async () => {
  const timeout = { onStatus: ['failed'], onTimeout: { timeout: 5, except: ['delivered'] } };
  const id = await send([{ type: 'vk', payload, $options: timeout }, later('viber')]);
  await submitted(id);
  world.clock.forward(6);
  const next = await successorOf(id);
  await submitted(next.id);
  await first.report([{ reference: id, status: 'failed', code: 'temporary' }]);
  expect(await get(id)).toMatchObject({ state: { status: 'failed' } });
  await new Promise((resolve) => setTimeout(resolve, 700));
  const { total } = await owner.api(sendings.find, { query: { filter: { chainId: id } } });
  expect(total).toBe(2);
  expect(await problems(world)).toEqual([]);
});

test('a report with an unknown reference is stored, and applied when its submit is recorded', async () => {
  const unknown = randomUUID();
  const foreign = await send();
  await submitted(foreign);
  expect(
    await resultsOf(
      first.report([
        { reference: unknown, status: 'delivered' },
        { externalId: 'of-somebody', status: 'delivered' },
        { reference: 'no id of ours', status: 'delivered' },
      ]),
    ),
  ).toEqual(['unmatched', 'unmatched', 'invalid']);
  // A carrier reports on its own messages only.
  expect(await resultsOf(second.report([{ reference: foreign, status: 'failed' }]))).toEqual([
    'unmatched',
  ]);
  expect(await statusOf(foreign)).toBe('sent');

  const externalId = `carriers-${randomUUID()}`.padEnd(255, '.');
  first.meanwhile = async () => {
    expect(await resultsOf(first.report([{ externalId, status: 'delivered' }]))).toEqual([
      'unmatched',
    ]);
    return { result: 'accepted', externalId };
  };
  const id = await send();
  await until(async () => (await statusOf(id)) === 'delivered', 'the unmatched report');
  expect(await resultsOf(first.report([{ externalId, status: 'seen' }]))).toEqual(['applied']);
  expect(await statusOf(id)).toBe('seen');
  expect(await problems(world)).toEqual([]);
});

test('a reply belongs to the account that sent last from that sender to that phone, and is stored once', async () => {
  const stranger = await world.person({ balance: 10_000 });
  const recipient = `+7${phone++}`;
  const body = { type: 'telegram', payload, recipient };
  await stranger.api(sendings.create, { body: body as never });
  const { id } = (await owner.api(sendings.create, {
    body: { ...body, fallbacks: [{ ...later('vk', []), $options: REPLY }] } as never,
  })) as { id: string };
  await submitted(id);
  const message = { type: 'telegram', from: recipient, to: 'tea', payload: { text: 'Yes' } };
  const bring = async (webhookId: string, carrier = first) =>
    (await carrier.post('incoming', message, carrier.sign(message, webhookId))).json as {
      id: string | null;
    };
  const [one, two] = await Promise.all([bring('a1'), bring('a1')]);
  const incoming = await owner.api(sendingsIncoming.find);
  expect(incoming.data).toMatchObject([{ id: one.id, SendingId: id, from: recipient }]);
  expect(two).toEqual(one);
  await successorOf(id);
  expect(await bring('a1')).toEqual(one);
  expect((await owner.api(sendingsIncoming.find)).total).toBe(1);
  // Another message with the same words, and one of another carrier that counts alike.
  await bring('a2');
  await bring('a1', second);
  expect((await owner.api(sendingsIncoming.find)).total).toBe(3);
  expect((await stranger.api(sendingsIncoming.find)).total).toBe(0);
  message.to = 'COFFEE';
  expect(await bring('a3')).toEqual({ id: null, ignored: [] });
  expect(await problems(world)).toEqual([]);
});

test('a reply finds its message by a number in the international form of carriers, without a plus', async () => {
  // Read as customers write numbers, it would be a Russian one behind the 8 of trunk calls.
  const recipient = '+84912345678';
  const body = { type: 'telegram', payload, recipient };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await submitted(id);
  const message = { type: 'telegram', from: '84912345678', to: 'TEA', payload: { text: 'Yes' } };
  await first.post('incoming', message, first.sign(message, 'v1'));
  const incoming = await owner.api(sendingsIncoming.find);
  expect(incoming.data).toMatchObject([{ SendingId: id, from: recipient }]);
});

test('an incoming message may have fields of the carrier, and come from a short number', async () => {
  const { id } = (await owner.api(sendings.create, {
    body: { type: 'telegram', payload, recipient: '+84912345679' } as never,
  })) as { id: string };
  await submitted(id);
  const message = {
    type: 'telegram',
    from: '84912345679',
    to: 'TEA',
    payload: { text: 'Yes', encoding: 'utf8' },
    smsc: 'north',
    toString: 'x',
  };
  const stored = await first.post('incoming', message, first.sign(message, 'w1'));
  expect(stored.json).toEqual({
    id: expect.any(String),
    ignored: ['smsc', 'toString', 'payload.encoding'],
  });
  expect((await owner.api(sendingsIncoming.find)).data).toMatchObject([
    { SendingId: id, payload: { text: 'Yes' } },
  ]);
  const short = { type: 'telegram', from: '900', to: 'TEA', payload: { text: 'Yes' } };
  const answer = await first.post('incoming', short, first.sign(short, 'w2'));
  // Nobody has written to it.
  expect([answer.status, answer.json]).toEqual([200, { id: null, ignored: [] }]);
});

test('a report that is not signed, or for another body, is refused with the reason', async () => {
  const id = await send();
  await submitted(id);
  const statuses = [{ reference: id, status: 'failed' as const }];
  const old = signed(first.secret, JSON.stringify({ statuses }), 'msg_1', Date.now() - 600_000);
  for (const [headers, reason] of [
    [{}, 'unsigned'],
    [first.sign({ statuses: [] }), 'signature'],
    [{ ...first.sign({ statuses }), 'webhook-signature': 'v1,c2lnbmF0dXJl' }, 'signature'],
    [old, 'timestamp'],
  ] as const) {
    const { status, json } = await first.report(statuses, headers);
    expect([status, json.code, json.payload.reason]).toEqual([401, 'unauthorized', reason]);
  }
  const simulator = await fetch(`${world.base}/api/channels/simulator/statuses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ statuses }),
  });
  expect(simulator.status).toBe(401);
  expect(await statusOf(id)).toBe('sent');
});

test.each([
  ['statuses', (id: string) => `statuses[0][reference]=${id}&statuses[0][status]=failed`],
  ['incoming', () => 'from=%2B79020000000&to=TEA&type=telegram&payload[text]=Yes'],
])('a form posted to %s has no bytes that a signature could be over', async (path, form) => {
  const id = await send();
  await submitted(id);
  const answer = await fetch(`${world.base}/api/channels/${first.name}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signed(first.secret, ''),
    },
    body: form(id),
  });
  expect([401, 415]).toContain(answer.status);
  expect(await statusOf(id)).toBe('sent');
  expect((await owner.api(sendingsIncoming.find)).total).toBe(0);
});

test('each report of a call has its own result: a wrong one does not affect the others', async () => {
  const ids = [await send(), await send()];
  for (const id of ids) await submitted(id);
  const unknown = randomUUID();
  const statuses: unknown[] = [
    { reference: ids[0], status: 'delivered' },
    { reference: 'x', status: 'teleported' },
    { status: 'delivered' },
    { reference: ids[1], status: 'delivered', at: 'yesterday' },
    { reference: ids[1], status: 'delivered', code: 'nul\u0000' },
    'delivered',
    null,
    { reference: unknown, status: 'delivered' },
    { reference: ids[1], status: 'delivered' },
  ];
  const { status, json } = await first.report(statuses as never);
  expect(status).toBe(200);
  const invalid = (reference: string | null, field: string) => ({
    reference,
    result: 'invalid',
    reason: expect.stringMatching(`${field}.*\\.$`),
  });
  expect(json.results).toEqual(
    [
      { reference: ids[0], result: 'applied' },
      invalid('x', 'status'),
      invalid(null, 'reference'),
      invalid(ids[1]!, 'at'),
      invalid(ids[1]!, 'code'),
      invalid(null, 'request'),
      invalid(null, 'request'),
      { reference: unknown, result: 'unmatched' },
      { reference: ids[1], result: 'applied' },
    ].map((result, index) => ({ index, ...result })),
  );
  expect([await statusOf(ids[0]!), await statusOf(ids[1]!)]).toEqual(['delivered', 'delivered']);
});

test('a repeated call of a carrier changes and stores nothing twice', async () => {
  const id = await send();
  await submitted(id);
  const statuses = [
    { reference: id, status: 'delivered' as const },
    { reference: randomUUID(), status: 'delivered' as const },
    { externalId: `replayed-${id}`, status: 'delivered' as const },
  ];
  const headers = first.sign({ statuses });
  expect(await resultsOf(first.report(statuses, headers))).toEqual([
    'applied',
    'unmatched',
    'unmatched',
  ]);
  const before = await get(id);
  for (let n = 0; n < 2; n++)
    expect(await resultsOf(first.report(statuses, headers))).toEqual([
      'ignored',
      'unmatched',
      'unmatched',
    ]);
  expect(await get(id)).toEqual(before);
  const unmatched = await world.db.query(
    `select 1 from unmatched_reports where channel = $1 and reference = any($2)`,
    [first.name, [statuses[1]!.reference, statuses[2]!.externalId]],
  );
  // A message is there before its submit: one of ours that is not known will not be.
  expect(unmatched).toHaveLength(1);
});

test("a bulk is submitted in batches of the carrier's size; a thousand reports arrive in one call", async () => {
  const before = first.calls.length;
  const list = await contactList(world, owner.id, 1000);
  const body = { type: 'telegram', payload, recipient: { include: [list] } };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await until(async () => {
    const query = { filter: { groupId: id, status: ['sent' as const] } };
    return (await owner.api(sendings.find, { query })).total === 1000;
  }, 'the submits');
  const calls = first.calls.slice(before);
  // Two batches are submitted at a time, so the last one may arrive before the second.
  expect(calls.map((c) => c.length).toSorted((a, b) => b - a)).toEqual([400, 400, 200]);
  const references = calls.flat().map((m) => m.reference);
  expect(new Set(references).size).toBe(1000);
  const statuses = references.map((reference, i) => ({
    reference,
    status: i % 10 ? ('delivered' as const) : ('failed' as const),
  }));
  const results = await resultsOf(first.report(statuses));
  expect(new Set(results)).toEqual(new Set(['applied']));
  const task = await finished(owner, id);
  expect(task.meta.counters).toMatchObject({ completed: 900, errored: 100 });
  expect(new Set(await resultsOf(first.report(statuses)))).toEqual(new Set(['ignored']));
  const again = await owner.api(tasks.get, { params: { id } });
  expect(again.meta.counters).toEqual(task.meta.counters);
  const tooMany = await first.report([...statuses, statuses[0]!]);
  expect([tooMany.status, tooMany.json.code]).toEqual([422, 'validation']);
  expect(await problems(world)).toEqual([]);
});

test('an id that a carrier gives again is that of the last message', async () => {
  const externalId = `again-${randomUUID()}`;
  first.meanwhile = () => Promise.resolve({ result: 'accepted', externalId });
  const before = await send();
  await submitted(before);
  await first.report([{ externalId, status: 'failed', code: 'expired' }]);
  const after = await send();
  await submitted(after);
  expect(await resultsOf(first.report([{ externalId, status: 'delivered' }]))).toEqual(['applied']);
  expect(await statusOf(after)).toBe('delivered');
  expect(await statusOf(before)).toBe('failed');
  // Nor do two messages of one batch with the same id disturb each other's submit.
  const people = await contactList(world, owner.id, 2);
  const body = { type: 'telegram', payload, recipient: { include: [people] } };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
    return data.length === 2 && data.every(({ state }) => state.status === 'sent');
  }, 'the submit of both');
  expect(await problems(world)).toEqual([]);
});

test('a code of the platform in a report is a failure of the carrier: nothing is cancelled or superseded by it', async () => {
  for (const code of ['stopped', 'superseded', 'insufficient_funds']) {
    const id = await send([later('vk')]);
    await submitted(id);
    await first.report([{ reference: id, status: 'failed', code }]);
    const next = await successorOf(id);
    await submitted(next.id);
    await second.report([{ reference: next.id, status: 'failed', code }]);
    expect(await get(next.id)).toMatchObject({
      state: { status: 'failed', code: 'rejected', outcome: 'failed' },
    });
    expect((await get(id)).state).toMatchObject({ code: 'rejected', outcome: 'failed' });
  }
  expect(await problems(world)).toEqual([]);
});

describe('what a carrier says about a failure in its own words', () => {
  const failureOf = async (reader: Person, id: string) => {
    const { timeline, state } = await reader.api(sendings.get, { params: { id } });
    const { carrier } = timeline!.find(({ event }) => event === 'failed')!;
    return { carrier, code: state.code, error: state.error };
  };
  const failed = (id: string) =>
    until(async () => (await statusOf(id)) === 'failed', `the failure of ${id}`);

  test('is shown to managers, in one line, and to nobody else', async () => {
    const manager = await world.person({ level: 'manager' });
    owner = await world.person({ balance: 10_000, managerId: manager.id });
    first.meanwhile = () =>
      Promise.resolve({ result: 'rejected', code: 1042, text: 'Contract 17:\n no route\u0007' });
    const rejected = await send();
    await failed(rejected);
    first.meanwhile = () => Promise.resolve({ result: 'accepted' });
    const reported = await send();
    await submitted(reported);
    const said = { code: 'E_DST', text: `${'x'.repeat(499)}😀` };
    await first.report([{ reference: reported, status: 'failed', ...said }]);
    const known = await send();
    await submitted(known);
    await first.report([{ reference: known, status: 'failed', code: 'busy' }]);

    expect(await failureOf(manager, rejected)).toEqual({
      carrier: { code: '1042', text: 'Contract 17: no route' },
      code: 'rejected',
      error: expect.any(String) as string,
    });
    expect(await failureOf(manager, reported)).toMatchObject({
      carrier: { code: 'E_DST', text: 'x'.repeat(499) },
      code: 'unknown',
    });
    expect((await failureOf(manager, known)).carrier).toBeUndefined();
    for (const id of [rejected, reported]) {
      expect((await failureOf(owner, id)).carrier).toBeUndefined();
      expect(JSON.stringify(await get(id))).not.toMatch(/1042|E_DST|Contract|xxx/);
    }
  });

  test('is kept with a report that comes before its reference, and goes with a late delivery', async () => {
    const manager = await world.person({ level: 'manager' });
    owner = await world.person({ balance: 10_000, managerId: manager.id });
    const externalId = `early-${randomUUID()}`;
    first.meanwhile = async () => {
      await first.report([{ externalId, status: 'failed', code: 'E_1', text: 'early' }]);
      return { result: 'accepted', externalId };
    };
    const id = await send();
    await failed(id);
    expect((await failureOf(manager, id)).carrier).toEqual({ code: 'E_1', text: 'early' });
    await first.report([{ externalId, status: 'delivered', text: 'late' }]);
    const [row] = await world.db.query<object>(
      `select status, carrier_code, carrier_text from sendings where id = $1`,
      [id],
    );
    expect(row).toEqual({ status: 3, carrier_code: null, carrier_text: null });
  });
});

test.each([60, 3600])(
  'the timer of a fallback does not depend on a clock of the carrier that is %s seconds ahead',
  async (ahead) => {
    let isEarly = false;
    first.meanwhile = async ({ reference }) => {
      // Before the submit is recorded, from a clock that is ahead.
      const report = { reference, status: 'sent' as const, at: at(ahead) };
      isEarly = (await resultsOf(first.report([report])))[0] === 'applied';
      return { result: 'accepted' };
    };
    const timeout = { onTimeout: { timeout: 5, except: ['delivered'] } };
    const id = await send([{ type: 'vk', payload, $options: timeout }]);
    await submitted(id);
    expect(isEarly).toBe(true);
    await until(async () => {
      const [batch] = await world.db.query<{ timer_at: Date | null }>(
        `select b.timer_at from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
        [id],
      );
      return batch!.timer_at;
    }, 'the timer');
    const sentAt = new Date((await get(id)).sentAt!);
    expect(sentAt.getTime() - world.clock.now().getTime()).toBeLessThanOrEqual(60_000);
    world.clock.forward(6);
    await submitted((await successorOf(id)).id);
    expect(await problems(world)).toEqual([]);
  },
);

test('a result that is of no message of the batch changes nothing for the others', async () => {
  const stranger = await send();
  await submitted(stranger);
  const externalId = `strange-${randomUUID()}`;
  for (const reference of ['no id of ours', randomUUID(), stranger]) {
    first.meanwhile = () => Promise.resolve({ result: 'accepted', externalId });
    first.more = [{ reference, result: 'accepted', externalId: `${externalId}-2` }];
    const id = await send();
    await submitted(id);
    first.more = [];
    const [ours, theirs] = [externalId, `${externalId}-2`].map((of) => ({ externalId: of }));
    expect(
      await resultsOf(
        first.report([
          { ...ours, status: 'delivered' },
          { ...theirs, status: 'failed' },
        ]),
      ),
    ).toEqual(['applied', 'unmatched']);
    expect(await statusOf(id)).toBe('delivered');
  }
  expect(await statusOf(stranger)).toBe('sent');
  expect(await problems(world)).toEqual([]);
});

test('the replies of one query take the same statements, however many they are', async () => {
  const polls = world.api.get(PollService, { strict: false });
  const db = world.api.get(Db);
  const repliesTo = (ids: string[], text: string) =>
    ids.map((reference) => ({ reference, text, at: world.clock.now() }));
  const waiting = async (count: number) => {
    const ids: string[] = [];
    for (let i = 0; i < count; i++)
      ids.push(await send([{ type: 'vk', payload, $options: REPLY }]));
    for (const id of ids) await submitted(id);
    return ids;
  };
  const statements = (replies: ReturnType<typeof repliesTo>) =>
    statementsOf(db, () =>
      db.transaction(() => polls.apply('simulator', { reports: [], replies, nextAt: null })),
    );
  const [one] = await waiting(1);
  const many = await waiting(8);
  const ofOne = await statements(repliesTo([one!], 'yes'));
  expect(await statements(repliesTo(many, 'yes'))).toBe(ofOne);
  for (const id of [one!, ...many]) await successorOf(id);
  // Two replies of a person in one query: both are looked at, and the conversation has both.
  const [twice] = await waiting(1);
  await polls.apply('simulator', {
    reports: [],
    nextAt: null,
    replies: [...repliesTo([twice!], 'no'), ...repliesTo([twice!], 'yes')],
  });
  await successorOf(twice!);
  const { recipient: address } = await get(twice!);
  const { data } = await owner.api(conversations.find, { query: { search: address } });
  expect(data).toEqual([expect.objectContaining({ unread: 2, state: 'waiting' })]);
  const { data: texts } = await owner.api(sendingsIncoming.find, { query: { search: address } });
  expect(texts.map(({ payload: { text } }) => text).toSorted()).toEqual(['no', 'yes']);
});

test('the message of a reply is found among the newest to its phone, however many there are', async () => {
  const phone = '+79009998877';
  const [batch] = await world.db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at)
     values ($1, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now(), now()) returning id`,
    [owner.id],
  );
  const ids = await world.db.query<{ id: string }>(
    `insert into sendings (id, owner_id, batch_id, type, segments, status, amount, sender, phone, body, delivered_at)
     select uuidv7(), $1, $2, 1, 1, 3, 1, 'TEA', $3, 'x', now() from generate_series(1, 5000) returning id`,
    [owner.id, batch!.id, phone],
  );
  const db = world.api.get(Db);
  const query = vi.spyOn(db, 'query');
  const at = new Date(Date.now() + 1000);
  const of = { type: 1, sender: 'tea', phone };
  const [found] = await world.api.get(RepliesStore).lastSendings([of], null, at);
  // The first: what runs beside this makes statements, too.
  const [sql, values] = query.mock.calls[0]!;
  query.mockRestore();
  const newest = ids
    .map(({ id }) => id)
    .toSorted()
    .at(-1);
  expect(found?.id).toBe(newest);
  const plan = await db.query<object>(`explain (analyze, format json) ${sql}`, values);
  const rows = [...JSON.stringify(plan).matchAll(/"Actual Rows":\s?([\d.]+)/g)].map(([, n]) =>
    Number(n),
  );
  expect(rows.length).toBeGreaterThan(3);
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
});
