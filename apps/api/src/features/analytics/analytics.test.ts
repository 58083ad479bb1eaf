import { analytics, sendings, tasks, type Sending, type Task } from '@heliograph/contract';
import { DELIVERY_BOUNDS, STATUS_CODES } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, contactList, finished, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { isCoveredSql } from '../billings/billings.service.ts';
import { FIGURES, KEYS, TIMES } from './figures-sql.ts';
import { RollupsService } from './rollups.service.ts';
import { verifyRollups } from './verify.store.ts';

let world: World;
let person: Person;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
});
beforeEach(async () => {
  person = await world.person({ balance: 10_000 });
});
afterAll(() => world.stop());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MORNING = Date.parse('2026-03-02T00:00:00Z');
const rollups = () => world.api.get(RollupsService);
/** A worker may be adding some at the moment: until its transaction ends, they are seen. */
async function added(): Promise<void> {
  await until(async () => {
    while (await rollups().addChanges());
    const left = await world.db.query(
      `(select 1 from rollup_changes limit 1) union all (select 1 from covered_changes limit 1)`,
    );
    return left.length === 0;
  }, 'the changes to be added');
}
async function ask(
  query: Partial<Parameters<Person['api']>[1]> & Record<string, unknown>,
  who = person,
) {
  await added();
  return who.api(analytics.get, {
    query: {
      from: new Date(MORNING).toISOString(),
      to: new Date(MORNING + 7 * DAY).toISOString(),
      ...query,
    } as never,
  });
}

const { delivered, seen, failed } = STATUS_CODES;

/** A submitted batch of one message, as the engine leaves them. */
async function message(
  at: number,
  given: Partial<{
    owner: string;
    status: number | null;
    mccmnc: string | null;
    sender: string;
    phone: string;
    seconds: number;
    amount: number;
    error: string;
    isSubmitted: boolean;
    packageId: string;
  }> = {},
): Promise<string> {
  const id = uuidv7(new Date(at));
  const { status = null, seconds = 1, error = status === failed ? 'unknown' : null } = given;
  const isReached = status === delivered || status === seen;
  await world.db.query(
    `with b as (insert into batches (owner_id, channel, type, priority, size, first_id, last_id, due_at, submitted_at, stage)
                values ($2, 'simulator', 1, 1, 1, $1, $1, now(), $8, case when $8::timestamptz is null then 0 else 3 end) returning id)
     , s as (insert into sendings (id, owner_id, batch_id, type, segments, status, amount, sender, phone, mccmnc, delivered_at, error, failed_at)
     select $1, $2, id, 1, 1, $3, $4, $5, $6, $7, $9, $10, $11 from b)
     insert into billings (id, owner_id, source, amount, price, multiplier, package_id)
     select $1, $2, 1, 0, '{2}', 1, $12::uuid where $12::uuid is not null`,
    [
      id,
      given.owner ?? person.id,
      status,
      given.amount ?? (given.packageId ? 0 : 2),
      given.sender ?? 'MIRTEA',
      given.phone ?? '+79161234567',
      given.mccmnc === undefined ? '25001' : given.mccmnc,
      (given.isSubmitted ?? true) ? new Date(at) : null,
      isReached ? new Date(at + seconds * 1000) : null,
      error,
      status === failed ? new Date(at) : null,
      given.packageId ?? null,
    ],
  );
  return id;
}

test('messages are counted by what they are of, with the share of times of their deliveries', async () => {
  await message(MORNING, { status: delivered, seconds: 4 });
  await message(MORNING + HOUR, { status: seen, seconds: 4 });
  await message(MORNING + HOUR, { status: failed, mccmnc: '25002', sender: 'TEA' });
  await message(MORNING + HOUR, { status: failed, error: 'stopped', isSubmitted: false });
  await message(MORNING + HOUR, { mccmnc: '' });
  await message(MORNING - 1, { status: delivered });
  const byOperator = await ask({ by: 'operator' });
  expect(byOperator.total).toEqual({
    messages: 5,
    submitted: 4,
    delivered: 2,
    seen: 1,
    failed: 1,
    cancelled: 1,
    replies: 0,
    optOuts: 0,
    clicks: null,
    cost: 6,
    covered: 0,
    median: 3.5,
    p95: 4.85,
  });
  expect(
    byOperator.data.map(({ key, title, figures }) => [
      key,
      title,
      figures.messages,
      figures.failed,
    ]),
  ).toEqual([
    ['25001', 'MTS', 3, 0],
    ['', null, 1, 0],
    ['25002', 'MegaFon', 1, 1],
  ]);
  const keys = async (by: string, filter = {}) =>
    (await ask({ by, ...filter })).data.map(({ key, figures }) => [key, figures.messages]);
  expect(await keys('country')).toEqual([
    ['RU', 4],
    ['', 1],
  ]);
  expect(await keys('sender', { country: 'RU' })).toEqual([
    ['MIRTEA', 3],
    ['TEA', 1],
  ]);
  expect(await keys('type', { mccmnc: '' })).toEqual([['sms', 1]]);
  expect(await keys('hour', { timeZone: 'Asia/Kathmandu' })).toEqual([
    ['5', 1],
    ['6', 4],
  ]);
  expect((await ask({ by: 'sender', rows: 1 })).isCut).toBe(true);
});

test('days are those of the time zone, and those of the other period stand beside them in their order', async () => {
  await message(MORNING + 6.25 * HOUR - 1);
  await message(MORNING + 18.25 * HOUR);
  await message(MORNING - 6 * DAY);
  const zone = 'Asia/Kathmandu';
  const at = (ms: number) => new Date(ms).toISOString();
  const start = MORNING - 5.75 * HOUR;
  const found = await ask({
    by: 'day',
    timeZone: zone,
    from: at(start),
    to: at(start + 7 * DAY),
    beforeFrom: at(start - 7 * DAY),
    beforeTo: at(start),
  });
  expect(
    found.data.map(({ key, figures, before }) => [key, figures.messages, before!.messages]),
  ).toEqual([
    ['2026-03-02', 1, 0],
    ['2026-03-03', 1, 1],
  ]);
  expect([found.total.messages, found.before!.messages]).toEqual([2, 1]);
});

/** Steps of a message that the engine can make of it. */
const STEPS = [
  { to: `status = 2`, when: `status is null` },
  {
    to: `status = 3, delivered_at = uuid_extract_timestamp(id) + interval '7 seconds'`,
    when: `coalesce(status, 0) <> 3 and coalesce(status, 0) <> 4`,
    clear: true,
  },
  {
    to: `status = 4, seen_at = now(), delivered_at = coalesce(delivered_at, uuid_extract_timestamp(id) + interval '40 seconds')`,
    when: `coalesce(status, 0) <> 4`,
    clear: true,
  },
  { to: `status = 5, failed_at = now(), error = 'unknown'`, when: `status is null or status = 2` },
  { to: `status = 5, failed_at = now(), error = 'stopped'`, when: `status is null` },
  { to: `body = null, is_last = true`, when: 'true' },
];

const FIGURE_NAMES = [
  'messages',
  'charged',
  'submitted',
  'delivered',
  'seen',
  'failed',
  'cancelled',
  'covered',
];

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test.each([1, 2, 3])('rollups equal the rows after any history (%i)', async (seed) => {
  const random = numbers(seed);
  const ids: string[] = [];
  const expected = new Map<string, number>();
  for (let step = 0; step < 60; step++) {
    if (step < 20 || random(3) === 0) {
      const at = MORNING + random(8) * 5 * 60_000;
      ids.push(
        await message(at, {
          mccmnc: ['25001', '25002', '', null][random(4)]!,
          sender: ['A', 'B'][random(2)]!,
          isSubmitted: random(2) === 0,
        }),
      );
      // Versions that left messages uncounted had no packages.
      if (random(2) === 0)
        ids.push(
          await message(at, { mccmnc: ['25001', ''][random(2)]!, packageId: uuidv7(new Date(at)) }),
        );
    } else if (random(7) === 0) {
      // Once for each message, of which some are repeated.
      await world.db.query(
        `update billings set status = 2, refunded_at = now() where owner_id = $1 and id = any($2) and ($3 or status = 1)`,
        [person.id, ids.filter(() => random(3) === 0), random(2) === 0],
      );
    } else if (random(6) === 0) {
      await world.db.query(
        `update batches set submitted_at = uuid_extract_timestamp(first_id), stage = 3 where submitted_at is null and owner_id = $1 and first_id = any($2)`,
        [person.id, ids.filter(() => random(2) === 0)],
      );
    } else {
      const { to, when, clear } = STEPS[random(STEPS.length)]!;
      await world.db.query(
        `update sendings set ${to}${clear ? ', failed_at = null, error = null' : ''} where owner_id = $1 and id = any($2) and (${when})`,
        [person.id, ids.filter(() => random(3) === 0)],
      );
    }
    if (random(5) === 0) await rollups().addChanges();
    if (random(20) === 0) await rollups().countOlder();
  }
  await rollups().countOlder();
  await added();
  const rows = await world.db.query<Record<string, string | number>>(
    `select quarter_of(uuid_extract_timestamp(s.id))::text as at, mccmnc, sender, status, error, amount::float8 as amount,
            b.submitted_at is not null as "isSubmitted",
            (select ${isCoveredSql('l')} from billings l where l.id = s.id) as "isCovered"
       from sendings s join batches b on b.id = s.batch_id where s.owner_id = $1`,
    [person.id],
  );
  const add = (row: Record<string, unknown>, name: string, by = 1) => {
    const key = [row.at, row.mccmnc, row.sender, name].join(' ');
    expected.set(key, (expected.get(key) ?? 0) + by);
  };
  for (const row of rows) {
    expect(row.mccmnc).not.toBeNull();
    add(row, 'messages');
    if (row.amount) add(row, 'charged', row.amount as number);
    if (row.isCovered) add(row, 'covered');
    if (row.isSubmitted && row.error !== 'stopped') add(row, 'submitted');
    if (row.status === delivered || row.status === seen) add(row, 'delivered');
    if (row.status === seen) add(row, 'seen');
    if (row.status === failed) add(row, row.error === 'stopped' ? 'cancelled' : 'failed');
  }
  const stored = await world.db.query<Record<string, unknown>>(
    `select at::text, mccmnc, sender, messages, charged::float8 as charged, submitted, delivered, seen, failed, cancelled, covered from rollups where owner_id = $1`,
    [person.id],
  );
  const found = new Map(
    stored.flatMap((row) =>
      FIGURE_NAMES.flatMap((name) =>
        row[name] ? [[[row.at, row.mccmnc, row.sender, name].join(' '), row[name]] as const] : [],
      ),
    ),
  );
  expect([...found].sort()).toEqual([...expected].sort());
});

test('a refund stays when a message is delivered late', async () => {
  const id = await message(MORNING, { amount: 3 });
  const set = (sql: string) => world.db.query(`update sendings set ${sql} where id = $1`, [id]);
  await set(`status = ${failed}, failed_at = now(), error = 'expired'`);
  await set(`status = ${delivered}, failed_at = null, error = null, delivered_at = now()`);
  const { total } = await ask({ by: 'type' });
  expect([total.delivered, total.failed, total.cost]).toEqual([1, 0, 0]);
});

test('changes that a stopped process had not added are added once', async () => {
  await message(MORNING, { status: delivered });
  await expect(
    world.db.transaction(async () => {
      while (await rollups().addChanges());
      throw new Error('stopped');
    }),
  ).rejects.toThrow('stopped');
  expect((await ask({ by: 'type' })).total.messages).toBe(1);
  expect((await ask({ by: 'type' })).total.messages).toBe(1);
});

test('what the engine does is counted: bulks with fallbacks, codes of operators and money', async () => {
  await world.startWorker();
  await approve(world, person.id);
  // Without replies: opt-outs among them would be confirmed by further messages.
  await setCarrier(world, { failed: 0.4, seen: 0.3 });
  const list = await contactList(world, person.id, 300);
  const payload = { sender: 'MIRTEA', text: 'Tea is on sale' };
  const task = (await person.api(sendings.create, {
    body: {
      type: 'viber',
      recipient: { include: [list] },
      payload,
      fallbacks: [{ type: 'sms', payload, options: { onStatus: ['failed'] } }],
    } as never,
  })) as Task;
  await person.api(sendings.create, {
    body: { type: 'sms', recipient: '+79161234567', payload } as never,
  });
  await finished(person, task.id);
  await until(async () => {
    const { data } = await person.api(sendings.find, {
      query: { filter: { status: ['pending', 'processing', 'sent'] }, limit: 1 },
    });
    return !data.length;
  }, 'all messages to end');
  const { data } = await person.api(sendings.find, {
    query: { filter: { groupId: task.id }, limit: 500 },
  });
  const now = Date.now();
  const period = { from: new Date(now - DAY).toISOString(), to: new Date(now + DAY).toISOString() };
  const byTask = await ask({ by: 'task', ...period });
  const own = byTask.data.find(({ key }) => key === task.id)!;
  expect(byTask.data.map(({ key }) => key).toSorted()).toEqual(['', task.id]);
  const count = (...statuses: string[]) =>
    data.filter(({ state }: Sending) => statuses.includes(state.status)).length;
  expect(own.figures).toMatchObject({
    messages: data.length,
    submitted: data.length,
    delivered: count('delivered', 'seen'),
    seen: count('seen'),
    failed: count('failed'),
    cancelled: 0,
  });
  const listed = async (filter: object, range = {}) => {
    const found = await person.api(sendings.find, { query: { filter, range } as never });
    return found.total;
  };
  const { key: mccmnc, figures } = (await ask({ by: 'operator', ...period })).data[0]!;
  const since = { updatedAt: { $gt: period.from } };
  expect(await listed({ mccmnc })).toBe(figures.messages);
  expect(await listed({ mccmnc, country: 'RU', sender: 'MIRTEA' }, since)).toBe(figures.messages);
  expect(await listed({ country: 'ES' })).toBe(0);
  expect(await listed({ sender: 'TEA' })).toBe(0);
  expect(own.title).toBe((await person.api(tasks.get, { params: { id: task.id } })).title);
  expect(own.figures.median).not.toBeNull();
  const [money] = await world.db.query<{ spent: number }>(
    `select -sum(amount)::float8 as spent from billings where owner_id = $1 and source > 0 and status <> 2`,
    [person.id],
  );
  expect(byTask.total.cost).toBeCloseTo(money!.spent, 4);
  // Rows of the other tests were not made by the engine.
  const wrong = async () =>
    (await verifyRollups(world.db)).filter(({ id }) => id === person.id).map(({ what }) => what);
  expect(await wrong()).toEqual([]);
  await world.db.query(
    `update rollups set delivered = delivered + 1 where owner_id = $1 and messages > 100`,
    [person.id],
  );
  expect(new Set(await wrong())).toEqual(new Set(['a rollup differs from its messages']));
});

test('figures are those of accounts that the caller may read, and of them what it may read', async () => {
  await message(MORNING, { status: delivered });
  const other = await world.person();
  await message(MORNING, { owner: other.id });
  expect((await ask({ by: 'account' })).data.map(({ key }) => key)).toEqual([person.id]);
  const named = ask({ by: 'type', OwnerId: other.id });
  await expect(named).rejects.toMatchObject({ status: 404 });
  const limited = await world.person({ grants: { remove: ['billings.find', 'suppressions.get'] } });
  await message(MORNING, { owner: limited.id });
  const { total } = await ask({ by: 'type' }, limited);
  expect([total.messages, total.cost, total.covered, total.optOuts, total.replies]).toEqual([
    1,
    null,
    null,
    null,
    0,
  ]);
});

test('the columns of figures are those that the rollups have', async () => {
  const columns = await world.db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'rollups'`,
  );
  expect(columns.map(({ name }) => name).toSorted()).toEqual([...KEYS, ...FIGURES].toSorted());
  const [slots] = await world.db.query<{ slots: number[] }>(
    `select array_agg(delivery_slot(s * interval '1 second') order by n) as slots from unnest($1::float8[]) with ordinality u (s, n)`,
    [DELIVERY_BOUNDS],
  );
  expect(slots!.slots).toEqual(TIMES.slice(1).map((_, i) => i + 1));
});
