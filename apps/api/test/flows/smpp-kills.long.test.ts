import { sendings, type SendingTask, type Task } from '@heliograph/contract';
import { Smsc } from '@heliograph/simulators';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { finished, problems } from '../factories.ts';
import { type Person, until } from '../world.ts';
import { printFigures, sender } from './delivery.ts';
import { Processes, type Running } from './processes.ts';

/** Enough for the time of a takeover. */
const SIZE = 1800;
const RATE = 150;
const BINDS = 2;
const LEASE_SECONDS = 3;
const account = { systemId: 'helio', password: 'secret' };
const CHANNEL = 'smsc';

let cluster: Processes;
let smsc: Smsc;

beforeEach(async () => {
  cluster = await Processes.start({ LEASE_SECONDS: String(LEASE_SECONDS), EXPIRES_SECONDS: '10' });
  const profile = {
    sentDelay: [0, 0],
    deliveredDelay: [0, 0],
    failed: 0,
    temporary: 0,
    replies: 0,
  };
  smsc = new Smsc({ ...account, profile: profile as never, answerMs: 20 });
  const port = await smsc.listen(0, '127.0.0.1');
  const options = { url: `smpp://127.0.0.1:${port}`, ...account, binds: BINDS };
  await cluster.world.db.query(
    `insert into channels (name, driver, types, priority, options, rate, burst) values ($1, 'smpp', '{sms}', 10, $2, $3, 20)`,
    [CHANNEL, options, RATE],
  );
});
afterEach(async () => {
  await cluster.stop();
  await smsc.close();
});

const taken = (count: number) =>
  until(() => Promise.resolve(smsc.log.length >= count), `${count} submits`, 60_000);
const bound = (count: number) =>
  until(() => Promise.resolve(smsc.binds >= count), `${count} binds`, 60_000);
const perBind = (from: number, to?: number) =>
  new Set(smsc.log.slice(from, to).map(({ bind }) => bind));

async function send(owner: Person & { list: string }): Promise<string> {
  const recipient = { include: [owner.list] };
  const body = { type: 'sms', recipient, payload: { sender: 'MIRTEA', text: 'Tea' } };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as z.infer<
    typeof SendingTask
  >;
  return id;
}

/** Each recipient was submitted once; one that was not has an unknown outcome, and none was twice. */
async function check(task: Task): Promise<{ lost: number; unknown: number }> {
  const counts = Map.groupBy(smsc.log, ({ recipient }) => recipient);
  expect([...counts.values()].filter(({ length }) => length > 1)).toEqual([]);
  const { unknownOutcomes, total } = task.meta.counters;
  const lost = SIZE - counts.size;
  expect(total).toBe(SIZE);
  expect(lost).toBeLessThanOrEqual(unknownOutcomes);
  expect(await problems(cluster.world)).toEqual([]);
  return { lost, unknown: unknownOutcomes };
}

test('a session of a worker that is frozen or killed goes to another, and each message to the carrier once', async () => {
  const started = Date.now();
  const [frozen, killed] = (await Promise.all([cluster.worker('one'), cluster.worker('two')])) as [
    Running,
    Running,
  ];
  await bound(BINDS);
  const owner = await sender(cluster.world, SIZE);
  const id = await send(owner);
  await taken(100);
  // Both have one: each worker submits over its own.
  await until(() => Promise.resolve(perBind(0).size === BINDS), 'both sessions to be used');

  frozen.signal('SIGSTOP');
  // What it had written arrives.
  await sleep(300);
  const stopped = smsc.log.length;
  const before = smsc.binds;
  // By its own clock, too.
  await sleep(LEASE_SECONDS * 1000);
  await bound(before + 1);
  const takenOver = smsc.log.length;
  const old = [...perBind(0, stopped)].filter((bind) => !perBind(stopped, takenOver).has(bind));
  frozen.signal('SIGCONT');
  await taken(Math.min(SIZE - 100, takenOver + 300));
  // It has seen that its lease is over before anything else.
  for (const bind of old) expect(perBind(takenOver)).not.toContain(bind);

  await killed.kill();
  const task = await finished(owner, id, 90_000);
  printFigures('sessions of killed workers', started, await check(task));
}, 240_000);
