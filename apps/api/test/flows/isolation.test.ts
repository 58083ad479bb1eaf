import { sendings, tasks, type Sending, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ReportsStore } from '../../src/features/sendings/reports/reports.store.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

/** Rows whose work fails, by a trigger that refuses them, beside rows whose work does not. */
let world: World;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  await world.db.query(`create table refused (id text primary key)`);
  await world.db.query(
    `create function refuse() returns trigger language plpgsql as $$
     begin
       if exists (select 1 from refused where id in (to_jsonb(new)->>'id', to_jsonb(new)->>'sending_id')) then raise exception 'refused by a test'; end if;
       return new;
     end $$`,
  );
  await world.db.query(
    `create trigger refuse before update of stage on batches for each row execute function refuse()`,
  );
  for (const table of ['sendings', 'fallback_triggers'])
    await world.db.query(
      `create trigger refuse before insert or update on ${table} for each row execute function refuse()`,
    );
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false where driver = 'http'`);
  carrier = await Carrier.start(world, ['sms', 'viber']);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const fallback = (options: object) => [{ type: 'sms', payload, options }];

/** With fallbacks a message has a batch of its own. */
async function singles(count: number, options: object, more: object = {}): Promise<string[]> {
  const receipts = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      owner.api(sendings.create, {
        body: {
          type: 'viber',
          payload,
          recipient: `+7916123456${i}`,
          fallbacks: fallback(options),
          ...more,
        } as never,
      }),
    ),
  );
  return receipts.map((receipt) => (receipt as SendingReceipt).id);
}

const batchOf = async (id: string) => {
  const [row] = await world.db.query<{ id: string; stage: number }>(
    `select b.id, b.stage from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!;
};
const submitted = (ids: string[]) =>
  until(
    async () => (await Promise.all(ids.map(batchOf))).every(({ stage }) => stage === 3),
    'the submits',
  );
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const refuse = (id: string) => world.db.query(`insert into refused values ($1)`, [id]);
const allow = () => world.db.query(`delete from refused`);

const isFailed = async (id: string) => (await get(id)).state.status === 'failed';

test('a message whose expiry fails stops no other expiry; later it expires as well', async () => {
  const ids = await singles(7, { onStatus: ['failed'] });
  await submitted(ids);
  const [broken, ...others] = ids as [string, ...string[]];
  await refuse(broken);
  world.clock.forward(25 * 3600);
  await until(async () => (await Promise.all(others.map(isFailed))).every(Boolean), 'the others');
  expect((await get(broken)).state.status).toBe('sent');
  await allow();
  world.clock.forward(61);
  await until(() => isFailed(broken), 'the last');
  expect((await get(broken)).state.code).toBe('expired');
  expect(await problems(world)).toEqual([]);
});

test('a message that was valid for too short a time and cannot be failed keeps no other from failing', async () => {
  const sendAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const ids = await singles(3, { onStatus: ['failed'] }, { sendAt });
  const batches = (await Promise.all(ids.map(batchOf))).map(({ id }) => id);
  await refuse(ids[1]!);
  await world.db.query(
    `update batches set valid_until = now() - interval '1 hour' where id = any($1)`,
    [batches],
  );
  const others = [ids[0]!, ids[2]!];
  await until(async () => (await Promise.all(others.map(isFailed))).every(Boolean), 'the others');
  for (const id of others) expect((await get(id)).state.code).toBe('expired');
  expect(await isFailed(ids[1]!)).toBe(false);
  await allow();
});

test('a message whose fallback by timeout cannot be noted delays no other timer', async () => {
  const ids = await singles(7, {
    onStatus: [],
    onTimeout: { timeout: 600, except: ['delivered'] },
  });
  await submitted(ids);
  const [broken, ...others] = ids as [string, ...string[]];
  await refuse(broken);
  world.clock.forward(601);
  const attempts = async (id: string) => {
    const rows = await world.db.query(`select 1 from sendings where id = $1 or chain_id = $1`, [
      id,
    ]);
    return rows.length;
  };
  await until(
    async () => (await Promise.all(others.map(attempts))).every((count) => count === 2),
    'the fallbacks of the others',
  );
  expect(await attempts(broken)).toBe(1);
  await allow();
  world.clock.forward(61);
  await until(async () => (await attempts(broken)) === 2, 'the fallback of the last');
});

test('a batch that cannot be reclaimed keeps no other from being reclaimed', async () => {
  carrier.isBusy = true;
  const ids = await singles(3, { onStatus: ['failed'] });
  const waits = async () => {
    const batches = await Promise.all(ids.map(batchOf));
    return batches.every(({ stage }) => stage === 0);
  };
  await until(waits, 'all to wait');
  await world.db.query(`update channels set is_active = false where name = $1`, [carrier.name]);
  await until(waits, 'all to wait');
  const batches = (await Promise.all(ids.map(batchOf))).map(({ id }) => id);
  // As if their worker had died. The first of them cannot leave its stage.
  const broken = batches.toSorted((a, b) => Number(a) - Number(b))[0]!;
  await world.db.transaction(async () => {
    await world.db.query(
      `update batches set stage = 1, lease = lease + 1, lease_until = now() - interval '1 hour' + id * interval '1 microsecond' where id = any($1)`,
      [batches],
    );
    await refuse(broken);
  });
  const stages = async () => {
    const rows = await world.db.query<{ id: string; stage: number }>(
      `select id, stage from batches where id = any($1)`,
      [batches],
    );
    return new Map(rows.map(({ id, stage }) => [id, stage]));
  };
  await until(
    async () => [...(await stages())].every(([id, stage]) => id === broken || stage === 0),
    'the others to be reclaimed',
  );
  expect((await stages()).get(broken)).toBe(1);
  await allow();
  world.clock.forward(61);
  await until(async () => (await stages()).get(broken) === 0, 'the last one');
});

test.each([
  ['triggers', { onStatus: ['failed'] }],
  ['timers', { onStatus: [], onTimeout: { timeout: 3600, except: ['delivered'] } }],
])('the %s of a large stopped task are worked off in parts', async (_, options) => {
  const size = 2500;
  const recipient = { include: [await contactList(world, owner.id, size)] };
  const body = { type: 'viber', payload, recipient, fallbacks: fallback(options) };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await until(() => Promise.resolve(carrier.taken.length === size), 'all to be submitted');
  await until(
    async () =>
      (await world.db.query(`select 1 from batches where task_id = $1 and stage <> 3`, [id]))
        .length === 0,
    'the results',
  );
  await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } });
  const statuses = carrier.taken.map((reference) => ({ reference, status: 'failed' as const }));
  while (statuses.length) await carrier.report(statuses.splice(0, 1000));
  const waiting = async () => {
    const [row] = await world.db.query<{ count: number }>(
      `select (select count(*) from fallback_triggers where task_id = $1)::int
            + (select coalesce(sum(size), 0) from batches where task_id = $1 and timer_at is not null)::int as count`,
      [id],
    );
    return row!.count;
  };
  expect(await waiting()).toBe(size);
  const read = vi.spyOn(ReportsStore.prototype, 'attempts');
  await owner.api(tasks.cancel, { params: { id } });
  await until(async () => (await waiting()) === 0, 'the end of what waits');
  const counters = await until(async () => {
    const { meta } = await owner.api(tasks.get, { params: { id } });
    return meta.counters.errored + meta.counters.cancelled === size && meta.counters;
  }, 'the ends of all');
  expect(counters).toMatchObject({ total: size, completed: 0 });
  expect(Math.max(...read.mock.calls.map(([ids]) => ids.length))).toBeLessThanOrEqual(2000);
  read.mockRestore();
  expect(await problems(world)).toEqual([]);
});
