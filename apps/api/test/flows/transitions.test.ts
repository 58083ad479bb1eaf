import { sendings, tasks, TASK_STATES, type TaskState } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contactList, finished, problems, setCarrier } from '../factories.ts';
import { fieldsOf, raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
});

const payload = { sender: 'TEA', text: 'Tea is ready' };

async function bulk(schedule?: object, people = 2): Promise<string> {
  const list = await contactList(world, owner.id, people);
  const body = { type: 'viber', payload, recipient: { include: [list] }, schedule };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const inAnHour = () => ({ delay: new Date(world.clock.now().getTime() + 3_600_000).toISOString() });
const put = (id: string, state: string) => raw(world, owner, 'PUT', `/tasks/${id}`, { state });
const remove = (id: string) => raw(world, owner, 'DELETE', `/tasks/${id}`);
const force = (id: string, state: TaskState) =>
  world.db.query(`update tasks set state = $2 where id = $1`, [id, state]);
const stateOf = async (id: string) => (await owner.api(tasks.get, { params: { id } })).state;

/** The allowed transitions of a task in each state and their results; the current state changes nothing, all others are refused. */
const ALLOWED: Record<
  TaskState,
  Partial<Record<'paused' | 'stopped' | 'scheduled' | 'cancel', TaskState>>
> = {
  scheduled: { paused: 'paused', stopped: 'stopped', cancel: 'stopped' },
  running: { paused: 'paused', stopped: 'stopped', cancel: 'stopped' },
  paused: { scheduled: 'scheduled', cancel: 'stopped' },
  stopped: {},
  completed: {},
  failed: {},
};
const cancel = (id: string) => raw(world, owner, 'POST', `/tasks/${id}/cancel`);

// No worker runs yet: states stay as a test puts them.
test.each(TASK_STATES)('from %s only what the specification allows', async (from) => {
  for (const wanted of ['paused', 'stopped', 'scheduled', 'cancel'] as const) {
    const id = await bulk(inAnHour());
    await force(id, from);
    const answer = await (wanted === 'cancel' ? cancel(id) : put(id, wanted));
    const to = ALLOWED[from][wanted] ?? (wanted === from ? from : undefined);
    expect([wanted, answer.status]).toEqual([wanted, to ? 200 : 409]);
    expect(answer.json.code).toBe(to ? undefined : 'conflict');
    expect(await stateOf(id)).toBe(to ?? from);
  }
  const id = await bulk(inAnHour());
  for (const wrong of ['running', 'completed', 'failed', 'asleep']) {
    const answer = await put(id, wrong);
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['state']]);
  }
});

test.each(TASK_STATES)('a task that is %s may be removed unless it runs', async (state) => {
  const id = await bulk(inAnHour());
  await force(id, state);
  const answer = await remove(id);
  expect(answer.status).toBe(state === 'running' ? 409 : 200);
  expect((await raw(world, owner, 'GET', `/tasks/${id}`)).status).toBe(
    state === 'running' ? 200 : 404,
  );
  expect((await remove(id)).status).toBe(state === 'running' ? 409 : 404);
});

test('a pause before the start lasts beyond the start time; resume returns to scheduled or running', async () => {
  await setCarrier(world, {});
  await world.startWorker();
  const early = await bulk(inAnHour());
  const late = await bulk(inAnHour());
  await put(early, 'paused');
  expect((await put(early, 'scheduled')).json.state).toBe('scheduled');
  await put(late, 'paused');
  world.clock.forward(3700);
  expect((await finished(owner, early)).state).toBe('completed');
  expect(await stateOf(late)).toBe('paused');
  expect((await put(late, 'scheduled')).json.state).toBe('running');
  expect((await finished(owner, late)).meta.counters.completed).toBe(2);
  expect(await problems(world)).toEqual([]);
});

test('a task stopped or removed before its start sends nothing', async () => {
  const stopped = await bulk(inAnHour());
  const removed = await bulk(inAnHour());
  await put(stopped, 'stopped');
  await remove(removed);
  world.clock.forward(3700);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect((await owner.api(sendings.find)).total).toBe(0);
  expect(await stateOf(stopped)).toBe('stopped');
  expect((await owner.api(tasks.get, { params: { id: stopped } })).finishedAt).not.toBeNull();
});

test('a task whose messages were all rejected by the channel fails with the reason', async () => {
  await setCarrier(world, { down: true });
  const id = await bulk();
  const refused = () =>
    world.db.query<{ tries: number }>(
      `select tries from batches where task_id = $1 and down_since is not null`,
      [id],
    );
  await until(async () => (await refused()).length === 1, 'the first refusal');
  // A batch of a stretched task was written days before it is due: the day counts from the first refusal.
  await world.db.query(`update batches set created_at = created_at - interval '2 days'`);
  const [first] = await refused();
  world.clock.forward(3600);
  await until(async () => (await refused())[0]!.tries > first!.tries, 'the next refusal');
  expect((await owner.api(tasks.get, { params: { id } })).state).toBe('running');
  world.clock.forward(25 * 3600);
  const task = await finished(owner, id);
  expect(task).toMatchObject({ state: 'failed', reason: 'channel_down' });
  const { data } = await owner.api(sendings.find);
  for (const s of data)
    expect(s).toMatchObject({
      state: { status: 'failed', code: 'channel_down' },
      meta: { billing: { refunded: true } },
    });
  await setCarrier(world, {});
  expect(await problems(world)).toEqual([]);
});

test('a task without recipients or without a price at its start fails', async () => {
  const empty = await bulk(inAnHour());
  await world.db.query(
    `delete from contacts c using tasks t where t.id = $1 and c.list_id = (t.audience->0->>'list')::uuid`,
    [empty],
  );
  const other = owner;
  owner = await world.person();
  const unpriced = await bulk(inAnHour());
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [owner.id]);
  world.clock.forward(3700);
  expect(await finished(other, empty)).toMatchObject({ state: 'failed', reason: 'no_recipients' });
  expect(await finished(owner, unpriced)).toMatchObject({ state: 'failed', reason: 'no_price' });
  expect(await problems(world)).toEqual([]);
});
