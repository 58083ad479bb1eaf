import {
  billings,
  sendings,
  suppressions,
  tasks,
  type Sending,
  type SendingTask,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DispatchStore } from '../../src/features/sendings/dispatch/dispatch.store.ts';
import type * as z from 'zod';
import { DispatchService } from '../../src/features/sendings/dispatch/dispatch.service.ts';
import { ExpandService } from '../../src/features/sendings/audience/expand.service.ts';
import { Carrier } from '../carrier.ts';
import { balance, contactList, finished, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

type Bulk = z.infer<typeof SendingTask>;

let world: World;
let workers: Awaited<ReturnType<World['startWorker']>>[];
/** A channel for telegram; fallbacks use vk. */
let first: Carrier;
let second: Carrier;
const payload = { sender: 'TEA', text: 'Tea is ready' };

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  first = await Carrier.start(world, ['telegram'], { maxBatch: 100 });
  second = await Carrier.start(world, ['vk']);
  workers = [await world.startWorker(), await world.startWorker()];
});
afterAll(async () => {
  await world.stop();
  first.stop();
  second.stop();
});

const times = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const stateOf = (who: Person, id: string) => who.api(tasks.get, { params: { id } });
const move = (who: Person, id: string, state: 'paused' | 'scheduled') =>
  who.api(tasks.update, { params: { id }, body: { state } }).catch(() => undefined);

async function bulkOf(who: Person, size: number, type = 'telegram'): Promise<Bulk> {
  const list = await contactList(world, who.id, size);
  const body = { type, payload, recipient: { include: [list] } } as never;
  return (await who.api(sendings.create, { body })) as Bulk;
}

/** Every recipient of a task was submitted exactly once. */
async function takenOnce(id: string, size: number): Promise<void> {
  const rows = await world.db.query<{ id: string }>(`select id from sendings where group_id = $1`, [
    id,
  ]);
  const ours = new Set(rows.map((row) => row.id));
  const taken = first.taken.filter((reference) => ours.has(reference));
  expect(new Set(taken).size).toBe(size);
  expect(taken).toHaveLength(size);
}

/** The carrier reports on its messages in any order. */
async function deliver(id: string): Promise<void> {
  const rows = await world.db.query<{ id: string }>(
    `select id from sendings where group_id = $1 and status is null and id = any($2) order by random()`,
    [id, first.taken],
  );
  for (let i = 0; i < rows.length; i += 1000)
    await first.report(
      rows.slice(i, i + 1000).map((row) => ({ reference: row.id, status: 'delivered' as const })),
    );
}

test('fifty tasks at once against a balance that covers twenty', async () => {
  const size = 30;
  const owner = await world.person();
  const list = await contactList(world, owner.id, size);
  const body = { type: 'viber', payload, recipient: { include: [list] } };
  const { amount } = await owner.api(sendings.estimate, { body: body as never });
  await world.db.query(`update balances set balance = $2 where owner_id = $1`, [
    owner.id,
    amount * 20,
  ]);
  await world.db.query(`update billings set amount = $2 where owner_id = $1`, [
    owner.id,
    amount * 20,
  ]);

  const answers = await times(50, () => raw(world, owner, 'POST', '/sendings', body));
  const created = answers.filter((a) => a.status === 201).map((a) => (a.json as Bulk).id);
  expect(created.length).toBeGreaterThanOrEqual(20);
  for (const a of answers.filter((x) => x.status !== 201))
    expect([a.status, a.json.code]).toEqual([402, 'insufficient_funds']);
  const ends = await Promise.all(
    created.map((id) =>
      until(async () => {
        const task = await stateOf(owner, id);
        return ['completed', 'paused'].includes(task.state) && task;
      }, `task ${id} to end or to wait for money`),
    ),
  );
  for (const task of ends.filter((t) => t.state === 'paused'))
    expect(task.reason).toBe('insufficient_funds');
  const made = ends.reduce((sum, task) => sum + task.meta.counters.total, 0);
  expect(made).toBe(20 * size);
  expect(await balance(world, owner.id)).toBe(0);
  expect(await problems(world)).toEqual([]);
});

test('fifty clients with one key start one bulk', async () => {
  const owner = await world.person({ balance: 10_000 });
  const list = await contactList(world, owner.id, 40);
  const body = { type: 'viber', payload, recipient: { include: [list] } };
  const key = { 'idempotency-key': randomUUID() };
  const answers = await times(50, () => raw(world, owner, 'POST', '/sendings', body, key));
  const ids = answers.filter((a) => a.status === 201).map((a) => (a.json as Bulk).id);
  expect(new Set(ids).size).toBe(1);
  for (const a of answers.filter((x) => x.status !== 201))
    expect([a.status, a.json.code]).toEqual([409, 'idempotency_running']);
  const task = await finished(owner, ids[0]!);
  expect(task.meta.counters.total).toBe(40);
  expect((await owner.api(tasks.find)).total).toBe(1);
  expect((await owner.api(sendings.find)).total).toBe(40);
});

test('two workers on one task create and submit every recipient once', async () => {
  const size = 2500;
  const owner = await world.person({ balance: 100_000 });
  const { id } = await bulkOf(owner, size);
  const expand = () =>
    times(4, (i) => workers[i % 2]!.get(ExpandService, { strict: false }).expand({ taskId: id }));
  const dispatch = () =>
    times(4, (i) => workers[i % 2]!.get(DispatchService, { strict: false }).dispatch());
  await Promise.all([expand(), dispatch(), expand()]);
  await until(async () => (await stateOf(owner, id)).meta.counters.total === size, 'all to be in');
  await dispatch();
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from batches where task_id = $1 and stage < 3`,
      [id],
    );
    return row!.n === 0;
  }, 'all to be submitted');
  await takenOnce(id, size);
  await deliver(id);
  expect((await finished(owner, id)).meta.counters).toMatchObject({
    total: size,
    completed: size,
    unknownOutcomes: 0,
  });
  expect(await problems(world)).toEqual([]);
});

test('pauses and resumes during expand and dispatch lose no recipient and send nothing twice', async () => {
  const size = 2500;
  const owner = await world.person({ balance: 100_000 });
  const { id } = await bulkOf(owner, size);
  const on = (i: number) => workers[i % 2]!;
  for (let round = 0; round < 8; round++) {
    await Promise.all([
      move(owner, id, round % 2 ? 'scheduled' : 'paused'),
      on(round).get(ExpandService, { strict: false }).expand({ taskId: id }),
      on(round + 1)
        .get(DispatchService, { strict: false })
        .dispatch(),
      on(round).get(DispatchService, { strict: false }).dispatch(),
    ]);
  }
  await move(owner, id, 'paused');
  const isPaused = (await stateOf(owner, id)).state === 'paused';
  const submitting = async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select count(*)::int as n from batches where task_id = $1 and stage = 2`,
      [id],
    );
    return row!.n;
  };
  if (isPaused) await until(async () => !(await submitting()), 'what is on its way to arrive');
  const before = first.taken.length;
  const submit = async (i: number) => {
    const dispatch = on(i).get(DispatchService, { strict: false });
    await dispatch.dispatch();
    await dispatch.idle();
  };
  if (isPaused) await times(4, submit);
  expect(first.taken.length - before).toBe(0);
  await move(owner, id, 'scheduled');
  await until(async () => {
    await deliver(id);
    return (await stateOf(owner, id)).state === 'completed';
  }, 'the task to complete');
  await takenOnce(id, size);
  const { counters } = (await stateOf(owner, id)).meta;
  expect(counters).toMatchObject({ total: size, completed: size, errored: 0 });
  expect(await problems(world)).toEqual([]);
});

test('a delivery that comes while its fallback starts: superseded and refunded, or sent, and never both', async () => {
  const owner = await world.person({ balance: 10_000 });
  const fallbacks = [{ type: 'vk', payload, options: { onStatus: ['failed'] } }];
  const ids = await times(40, async (i) => {
    const body = { type: 'telegram', payload, recipient: `+7902555${1000 + i}`, fallbacks };
    return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
  });
  await until(async () => ids.every((id) => first.taken.includes(id)), 'all to be submitted');
  await times(40, async (i) => {
    const reference = ids[i]!;
    expect((await first.report([{ reference, status: 'failed' }])).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, i * 3));
    expect((await first.report([{ reference, status: 'delivered' }])).status).toBe(200);
  });
  const chainOf = async (id: string): Promise<Sending[]> =>
    (await owner.api(sendings.find, { query: { filter: { chainId: id } } })).data;
  const moving = (s: Sending) => ['pending', 'processing'].includes(s.state.status);
  for (const id of ids) {
    const chain = await until(async () => {
      const all = await chainOf(id);
      return all.every((s) => !moving(s)) && all;
    }, `the chain ${id} to settle`);
    expect(chain.find((s) => s.id === id)!.state.status).toBe('delivered');
    for (const next of chain.filter((s) => s.id !== id)) {
      const isSuperseded = next.state.code === 'superseded';
      expect(second.taken.includes(next.id)).toBe(!isSuperseded);
      expect(next.meta.billing?.refunded ?? false).toBe(isSuperseded);
    }
  }
  expect(await problems(world)).toEqual([]);
});

test('a top-up during a pause for insufficient funds is spent up to the last recipient', async () => {
  const size = 1500;
  const reseller = await world.person({ level: 'reseller', balance: 100_000 });
  const owner = await world.person({ resellerId: reseller.id, balance: 100_000 });
  const list = await contactList(world, owner.id, size);
  const body = { type: 'viber', payload, recipient: { include: [list] } };
  const { amount } = await owner.api(sendings.estimate, { body: body as never });
  // Other charges use up the balance between the estimate and the reading of the audience.
  const delay = new Date(world.clock.now().getTime() + 60_000).toISOString();
  const task = (await owner.api(sendings.create, {
    body: { ...body, schedule: { delay } } as never,
  })) as Bulk;
  await world.db.query(`update balances set balance = 10 where owner_id = $1`, [owner.id]);
  await world.db.query(`update billings set amount = 10 where owner_id = $1`, [owner.id]);
  world.clock.forward(61);
  const entry = { source: 'accrual' as const, amount: amount / 25, OwnerId: owner.id };
  const paying = times(25, async (i) => {
    await new Promise((resolve) => setTimeout(resolve, i * 30));
    await reseller.api(billings.create, { body: entry });
  });
  const reasons = new Set<unknown>(['insufficient_funds']);
  const done = until(async () => {
    const { state, reason } = await stateOf(owner, task.id);
    if (state === 'paused') {
      reasons.add(reason);
      await move(owner, task.id, 'scheduled');
    }
    return state === 'completed';
  }, 'the task to complete');
  await Promise.all([paying, done]);
  expect([...reasons]).toEqual(['insufficient_funds']);
  const { counters, amount: spent } = (await stateOf(owner, task.id)).meta;
  expect(counters).toMatchObject({ total: size, completed: size });
  expect(spent).toBe(amount);
  expect(await balance(world, owner.id)).toBeCloseTo(10, 2);
  expect(await problems(world)).toEqual([]);
});

test('an answer of a carrier after the lease expired is recorded: its ids and its refusals', async () => {
  const owner = await world.person();
  const externalId = `carriers-${randomUUID()}`;
  const references = new Map<string, string>();
  first.meanwhile = async ({ reference, recipient }) => {
    await world.db.query(
      `update batches set lease_until = now() - interval '1 minute' where stage = 2 and $1 between first_id and last_id`,
      [reference],
    );
    await until(async () => {
      const [row] = await world.db.query<{ stage: number }>(
        `select b.stage from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
        [reference],
      );
      return row!.stage === 4;
    }, 'another worker to take it over');
    references.set(recipient, reference);
    return recipient.endsWith('1')
      ? { result: 'accepted', externalId }
      : { result: 'rejected', code: 'blocked' };
  };
  const phones = ['+79026660001', '+79026660002'];
  for (const recipient of phones)
    await owner.api(sendings.create, { body: { type: 'telegram', payload, recipient } as never });
  const stateOfPhone = async (phone: string) => {
    const id = references.get(phone);
    return id && (await owner.api(sendings.get, { params: { id } })).state;
  };
  await until(async () => {
    const state = await stateOfPhone(phones[1]!);
    return state && state.status === 'failed' && state.code === 'blocked';
  }, 'the refusal');
  await until(async () => {
    const { json } = await first.report([{ externalId, status: 'delivered' }]);
    return (json as { results: { result: string }[] }).results[0]!.result === 'applied';
  }, 'the report under the id of the carrier');
  expect(await stateOfPhone(phones[0]!)).toMatchObject({ status: 'delivered' });
  first.meanwhile = () => Promise.resolve({ result: 'accepted' });
  expect(await problems(world)).toEqual([]);
});

test('a message with an unknown outcome is not submitted again after a pause: its carrier may have forgotten it', async () => {
  const mute = await Carrier.start(world, ['viber'], { deduplicates: true });
  mute.isMute = true;
  const who = await world.person({ balance: 1000 });
  const { id } = await bulkOf(who, 2, 'viber');
  await until(async () => {
    const waiting = `select 1 from batches where task_id = $1 and unknown_outcomes > 0 and stage = 0`;
    return (await world.db.query(waiting, [id])).length > 0;
  }, 'the unknown outcome');
  await who.api(tasks.update, { params: { id }, body: { state: 'paused' } });
  await until(async () => {
    const running = `select 1 from batches where task_id = $1 and stage in (1, 2)`;
    return !(await world.db.query(running, [id])).length;
  }, 'the end of running submits');
  const calls = mute.calls.length;
  mute.isMute = false;
  world.clock.forward(2 * 86_400);
  await who.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
  await until(async () => {
    const given = `select 1 from batches where task_id = $1 and stage = 4`;
    return (await world.db.query(given, [id])).length > 0;
  }, 'the end of repeats');
  expect(mute.calls.length).toBe(calls);
  // Neither is charged for nothing: without a report they expire.
  world.clock.forward(86_401);
  expect((await finished(who, id)).meta.counters).toMatchObject({ errored: 2, unknownOutcomes: 2 });
  expect(await balance(world, who.id)).toBe(1000);
  mute.stop();
  expect(await problems(world)).toEqual([]);
});

test('a stop leaves a message with an unknown outcome to its report: its carrier may have it', async () => {
  const mute = await Carrier.start(world, ['whatsapp'], { deduplicates: true });
  mute.isMute = true;
  const who = await world.person({ balance: 1000 });
  const { id } = await bulkOf(who, 2, 'whatsapp');
  await until(async () => {
    const waiting = `select 1 from batches where task_id = $1 and unknown_outcomes > 0 and stage = 0`;
    return (await world.db.query(waiting, [id])).length > 0;
  }, 'the unknown outcome');
  const paid = await balance(world, who.id);
  expect(paid).toBeLessThan(1000);
  await move(who, id, 'paused');
  await until(async () => {
    const running = `select 1 from batches where task_id = $1 and stage in (1, 2)`;
    return !(await world.db.query(running, [id])).length;
  }, 'the end of running submits');
  expect(await who.api(tasks.unsent, { params: { id } })).toMatchObject({ count: 0, submitted: 2 });
  const calls = mute.calls.length;
  await who.api(tasks.cancel, { params: { id } });
  await until(async () => {
    const given = `select 1 from batches where task_id = $1 and stage = 4`;
    return (await world.db.query(given, [id])).length > 0;
  }, 'the end of repeats');
  expect(await balance(world, who.id)).toBe(paid);
  const [received, lost] = [...new Set(mute.taken)];
  await mute.report([{ reference: received!, status: 'delivered' }]);
  world.clock.forward(86_401);
  await until(async () => {
    const { meta } = await stateOf(who, id);
    return meta.counters.completed === 1 && meta.counters.errored === 1;
  }, 'the ends of both');
  const codeOf = async (of: string) => (await who.api(sendings.get, { params: { id: of } })).state;
  expect(await codeOf(received!)).toMatchObject({ status: 'delivered' });
  expect(await codeOf(lost!)).toMatchObject({ status: 'failed', code: 'expired' });
  expect(await balance(world, who.id)).toBe((paid + 1000) / 2);
  expect(mute.calls.length).toBe(calls);
  mute.stop();
  expect(await problems(world)).toEqual([]);
});

let phoneCount = 0;

/** A single message that a carrier took without an answer, and which waits for its next submit. */
async function unanswered(who: Person, type: string, mute: Carrier): Promise<string> {
  const body = { type, payload, recipient: `+7902666${String(phoneCount++).padStart(4, '0')}` };
  const { id } = (await who.api(sendings.create, { body: body as never })) as { id: string };
  await until(async () => {
    const waiting = `update batches b set due_at = due_at + interval '1 hour' from sendings s
      where s.batch_id = b.id and s.id = $1 and b.unknown_outcomes > 0 and b.stage = 0 returning 1`;
    return (await world.db.query(waiting, [id])).length > 0;
  }, 'the unknown outcome');
  expect(mute.taken).toContain(id);
  return id;
}

const isKept = (id: string) =>
  until(async () => {
    const [row] = await world.db.query<{ stage: number }>(
      `select b.stage from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
      [id],
    );
    return row!.stage === 4;
  }, 'the end of repeats');

test.each([
  ['to somebody who has opted out meanwhile', 'unsubscribe'],
  ['whose carrier does not deduplicate any more', 'change'],
])('a message with an unknown outcome %s is left to its report', async (_, what) => {
  const mute = await Carrier.start(world, ['instagram'], { deduplicates: true });
  mute.isMute = true;
  const who = await world.person({ balance: 1000 });
  const id = await unanswered(who, 'instagram', mute);
  const { recipient } = await who.api(sendings.get, { params: { id } });
  const paid = await balance(world, who.id);
  const calls = mute.calls.length;
  if (what === 'unsubscribe')
    await who.api(suppressions.import, { body: { addresses: [recipient] } as never });
  else
    await world.db.query(
      `update channels set options = jsonb_set(options, '{deduplicates}', 'false') where name = $1`,
      [mute.name],
    );
  world.forgetChannels();
  mute.isMute = false;
  world.clock.forward(3700);
  await isKept(id);
  expect(mute.calls.length).toBe(calls);
  expect(await balance(world, who.id)).toBe(paid);
  await mute.report([{ reference: id, status: 'delivered' }]);
  const state = async () => (await who.api(sendings.get, { params: { id } })).state.status;
  await until(async () => (await state()) === 'delivered', 'the report');
  await world.db.query(`update channels set types = '{}' where name = $1`, [mute.name]);
  world.forgetChannels();
  mute.stop();
  expect(await problems(world)).toEqual([]);
});

test('a message with an unknown outcome is submitted again to a carrier that deduplicates, with growing pauses and a limit', async () => {
  const mute = await Carrier.start(world, ['ok'], { deduplicates: true });
  mute.isMute = true;
  const who = await world.person();
  const { id } = await bulkOf(who, 2, 'ok');
  const batch = async () =>
    (
      await world.db.query<{ stage: number }>(`select stage from batches where task_id = $1`, [id])
    )[0];
  const released = vi.spyOn(DispatchStore.prototype, 'release');
  /** Postpones it by an hour in its current stage. */
  const held = (least: number) =>
    until(async () => {
      const [row] = await world.db.query<{ id: string; unknownOutcomes: number }>(
        `update batches set due_at = due_at + interval '1 hour', unknown_since = unknown_since + interval '1 hour'
          where task_id = $1 and stage = 0 and unknown_outcomes >= $2
         returning id, unknown_outcomes as "unknownOutcomes"`,
        [id, least],
      );
      const call =
        row &&
        released.mock.calls.findLast(([batches]) => batches.some((batch) => batch.id === row.id))!;
      return (
        call && {
          unknownOutcomes: row.unknownOutcomes,
          pause: (call[1].getTime() - call[2].getTime()) / 1000,
        }
      );
    }, `unknown outcome ${least}`);
  const anHourLater = () => world.clock.forward(4000);
  const first = await held(1);
  anHourLater();
  const second = await held(first.unknownOutcomes + 1);
  expect([first.pause, second.pause]).toEqual([
    2 ** (first.unknownOutcomes - 1),
    2 ** (second.unknownOutcomes - 1),
  ]);
  await world.db.query(`update batches set unknown_outcomes = 19 where task_id = $1`, [id]);
  anHourLater();
  expect(await held(20)).toEqual({ unknownOutcomes: 20, pause: 300 });
  anHourLater();
  await until(async () => (await batch())?.stage === 4, 'the end of repeats');
  const sent = mute.calls.length;
  expect(sent).toBe(second.unknownOutcomes + 2);
  expect((await stateOf(who, id)).meta.counters).toMatchObject({ unknownOutcomes: 2 });
  // A receipt settles it, however late.
  for (const reference of new Set(mute.taken))
    await mute.report([{ reference, status: 'delivered', at: world.clock.now().toISOString() }]);
  expect((await finished(who, id)).meta.counters).toMatchObject({
    completed: 2,
    unknownOutcomes: 2,
  });
  world.clock.forward(3600);
  expect(mute.calls.length).toBe(sent);
  mute.stop();
  expect(await problems(world)).toEqual([]);
});
