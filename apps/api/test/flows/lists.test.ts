import {
  COUNT_CAP,
  sendings,
  sendingsIncoming,
  tasks,
  type Outcome,
  type Status,
} from '@heliograph/contract';
import { OUTCOMES, SENDING_TYPES, statusOf, typeCode, typeOf } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidTime, uuidv7 } from '../../src/core/uuid.ts';
import { approve, contactList, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let reseller: Person;
let manager: Person;
let chief: Person;
/** Of the reseller, of the manager, of neither. */
let customers: Person[];
let mixed: Person;

/** A sending from its tables, with status and times computed independently. */
interface Truth {
  id: string;
  OwnerId: string;
  type: string;
  phone: string;
  body: string | null;
  groupId: string | null;
  chain: string;
  status: Status;
  attempt: number;
  isLast: boolean;
  error: string | null;
  createdAt: number;
  updatedAt: number;
}
let truth: Truth[];

const payload = { sender: 'MIRTEA', text: 'Hello {firstName|friend}' };
const single = (who: Person, recipient: string, over = {}) =>
  raw(world, who, 'POST', '/sendings', { type: 'sms', payload, recipient, ...over });
const bulk = async (who: Person, people: number, over: object) => {
  const list = await contactList(world, who.id, people);
  const body = { type: 'viber', payload, recipient: { include: [list] }, ...over };
  return ((await who.api(sendings.create, { body: body as never })) as { id: string }).id;
};

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, { failed: 0.2, silent: 0.2, seen: 0.5 });
  reseller = await world.person({ level: 'reseller' });
  manager = await world.person({ level: 'manager' });
  chief = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  customers = [
    await world.person({ resellerId: reseller.id }),
    await world.person({ managerId: manager.id }),
    await world.person(),
  ];
  mixed = customers[0]!;
  const worker = await world.startWorker();
  for (const who of customers) await approve(world, who.id);

  await bulk(mixed, 120, {});
  const fallback = { type: 'sms', payload, $options: { onStatus: ['failed'] } };
  await bulk(mixed, 40, { type: 'whatsapp', fallbacks: [fallback] });
  const stretch = { schedule: { until: 12 } };
  const paused = await bulk(mixed, 30, stretch);
  const doubtful = await bulk(mixed, 10, stretch);
  const ended = await bulk(mixed, 15, { ...stretch, type: 'telegram' });
  for (const who of customers) {
    for (const digits of ['02', '04', '06']) await single(who, `+799900000${digits}`);
    await single(who, '+79161234567');
    await single(who, '12');
  }
  await until(async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select (select count(*) from batches where stage < 3 and due_at <= $1)::int
            + (select count(*) from tasks where state = 'running' and not is_expanded)::int as n`,
      [world.clock.now()],
    );
    return row!.n === 0;
  }, 'the submits');
  await until(async () => {
    const { meta } = await mixed.api(tasks.get, { params: { id: doubtful } });
    const other = await mixed.api(tasks.get, { params: { id: ended } });
    return meta.counters.total === 10 && other.meta.counters.total === 15;
  }, 'the audience');
  await mixed.api(tasks.update, { params: { id: paused }, body: { state: 'paused' } });
  await mixed.api(tasks.cancel, { params: { id: ended } });
  // Two wait for a driver, one of them without end.
  await world.db.query(
    `update batches set stage = 2, lease_until = now() + interval '9 days', updated_at = $2 where id in (
       select id from batches where task_id = $1 and stage = 0 order by id desc limit 2)`,
    [doubtful, world.clock.now()],
  );
  // Reports of the test numbers become due; silent ones stay silent for a minute.
  world.clock.forward(3);
  await until(async () => {
    truth = await readTruth();
    const ended = truth.filter(own(mixed)).map(({ id, chain }) => chain === id && outcomeOf(id));
    return (
      STATUSES.every((status) => truth.some((t) => t.status === status)) &&
      OUTCOMES.every((outcome) => ended.includes(outcome)) &&
      truth.some((t) => t.attempt === 1)
    );
  }, 'messages in all states');
  // Nothing changes any more while the lists are compared.
  await worker.close();
  truth = await readTruth();
});
afterAll(() => world.stop());

async function readTruth(): Promise<Truth[]> {
  const rows = await world.db.query<Record<string, any>>(
    `select s.*, b.stage, b.submitted_at, b.updated_at as batch_at, t.state from sendings s
       join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id order by s.id desc`,
  );
  return rows.map((r): Truth => {
    const carried = ['pending', 'pending', 'processing', 'sent', 'processing', 'failed'][r.stage];
    const isPaused = r.status === null && r.stage <= 1 && r.state === 'paused';
    const createdAt = uuidTime(r.id).getTime();
    return {
      id: r.id,
      OwnerId: r.owner_id,
      type: typeOf(r.type),
      phone: r.phone,
      body: r.body,
      groupId: r.group_id,
      chain: r.chain_id ?? r.id,
      status: isPaused ? 'paused' : r.status === null ? (carried as Status) : statusOf(r.status),
      attempt: r.attempt,
      isLast: r.is_last,
      error: r.error,
      createdAt,
      updatedAt: Math.max(r.batch_at.getTime(), r.changed_at?.getTime() ?? 0),
    };
  });
}

const own = (who: Person) => (t: Truth) => t.OwnerId === who.id;

/** The whole list, page by page, equals what is expected, in its order. */
async function same(
  who: Person,
  query: Parameters<typeof ask>[1],
  expected: (t: Truth) => boolean,
  within: (t: Truth) => boolean = own(who),
) {
  const wanted = truth.filter((t) => within(t) && expected(t)).map((t) => t.id);
  const { ids, total } = await ask(who, query);
  expect([query, total, ids]).toEqual([query, wanted.length, wanted]);
  return wanted.length;
}
async function ask(
  who: Person,
  query: NonNullable<NonNullable<Parameters<typeof who.api<typeof sendings.find>>[1]>['query']>,
) {
  const ids: string[] = [];
  for (;;) {
    const page = await who.api(sendings.find, {
      query: {
        order: [{ field: 'createdAt', direction: 'desc' }],
        ...query,
        limit: 150,
        offset: ids.length,
      },
    });
    ids.push(...page.data.map((s) => s.id));
    if (!page.data.length || ids.length >= page.total) return { ids, total: page.total };
  }
}

const STATUSES = [
  'pending',
  'paused',
  'processing',
  'sent',
  'delivered',
  'seen',
  'failed',
] as const;

test('every sending has the status that follows from its row and batch, in all states', async () => {
  const seen = new Set(truth.map((t) => t.status));
  expect([...seen].sort()).toEqual([...STATUSES].sort());
  const { data } = await mixed.api(sendings.find, { query: { limit: 200 } });
  for (const s of data) {
    const t = truth.find((x) => x.id === s.id)!;
    expect([s.id, s.state.status, Date.parse(s.createdAt)]).toEqual([t.id, t.status, t.createdAt]);
    expect([s.id, Date.parse(s.updatedAt)]).toEqual([t.id, t.updatedAt]);
  }
});

test('by status, one and several', async () => {
  let sum = 0;
  for (const status of STATUSES)
    sum += await same(mixed, { filter: { status: [status] } }, (t) => t.status === status);
  expect(sum).toBe(truth.filter(own(mixed)).length);
  await same(mixed, { filter: { status: ['pending', 'seen', 'failed'] } }, (t) =>
    ['pending', 'seen', 'failed'].includes(t.status),
  );
});

/** The outcome of a recipient by the attempts of its chain. */
function outcomeOf(chain: string): Outcome {
  const attempts = truth.filter((t) => t.chain === chain);
  if (attempts.some((t) => ['delivered', 'seen'].includes(t.status))) return 'delivered';
  const last = attempts.toSorted((a, b) => a.attempt - b.attempt).at(-1)!;
  if (last.status !== 'failed' || !last.isLast) return 'pending';
  return last.error === 'stopped' ? 'cancelled' : 'failed';
}

test('filters by one or several outcomes: each recipient once, with the outcome of its chain', async () => {
  const isFirst = (t: Truth) => t.chain === t.id;
  for (const outcome of OUTCOMES)
    expect(
      await same(
        mixed,
        { filter: { outcome: [outcome] } },
        (t) => isFirst(t) && outcomeOf(t.id) === outcome,
      ),
    ).toBeGreaterThan(0);
  const unreached: Outcome[] = ['failed', 'pending', 'cancelled'];
  await same(
    mixed,
    { filter: { outcome: unreached, type: ['whatsapp', 'sms'] } },
    (t) =>
      isFirst(t) && unreached.includes(outcomeOf(t.id)) && ['whatsapp', 'sms'].includes(t.type),
  );
  await same(
    mixed,
    { filter: { outcome: ['delivered'], status: ['failed'] } },
    (t) => isFirst(t) && t.status === 'failed' && outcomeOf(t.id) === 'delivered',
  );
  await same(
    reseller,
    { filter: { outcome: ['failed'] } },
    (t) => isFirst(t) && outcomeOf(t.id) === 'failed',
    (t) => [reseller.id, mixed.id].includes(t.OwnerId),
  );
  const { data } = await mixed.api(sendings.find, { query: { limit: 200 } });
  for (const s of data) expect([s.id, s.state.outcome]).toEqual([s.id, outcomeOf(s.chainId)]);
});

test('by type, group and chain, and together', async () => {
  for (const type of SENDING_TYPES)
    await same(mixed, { filter: { type: [type] } }, (t) => t.type === type);
  await same(mixed, { filter: { type: ['sms', 'viber'] } }, (t) =>
    ['sms', 'viber'].includes(t.type),
  );
  const groups = [...new Set(truth.filter(own(mixed)).map((t) => t.groupId))];
  for (const groupId of groups.filter((g) => g !== null)) {
    expect(
      await same(mixed, { filter: { groupId } }, (t) => t.groupId === groupId),
    ).toBeGreaterThan(0);
    for (const status of STATUSES)
      await same(
        mixed,
        { filter: { groupId, status: [status], type: ['viber', 'sms'] } },
        (t) => t.groupId === groupId && t.status === status && ['viber', 'sms'].includes(t.type),
      );
  }
  const second = truth.find((t) => t.chain !== t.id)!;
  expect(
    await same(mixed, { filter: { chainId: second.chain } }, (t) => t.chain === second.chain),
  ).toBe(2);
  const three = truth.filter(own(mixed)).slice(5, 8);
  await same(mixed, { filter: { id: three.map((t) => t.id) } }, (t) => three.includes(t));
});

test('by recipient: whole in any spelling, or its beginning', async () => {
  for (const recipient of ['+79161234567', '8 (916) 123-45-67', '79161234567'])
    expect(await same(mixed, { filter: { recipient } }, (t) => t.phone === '+79161234567')).toBe(1);
  for (const recipient of ['+7999', '+790200000', '8', '999'])
    await same(mixed, { filter: { recipient } }, (t) =>
      t.phone.startsWith(`+${recipient.replace('+', '')}`),
    );
  for (const recipient of ['89', '8 (916) 123', '8902000'])
    expect(
      await same(mixed, { filter: { recipient } }, (t) =>
        t.phone.startsWith(`+7${recipient.replace(/\D/g, '').slice(1)}`),
      ),
    ).toBeGreaterThan(0);
  // Four digits or more without a plus may be the end of a number as well.
  for (const recipient of ['7902', '4567', '0002', '00 00-17', '0404'])
    await same(mixed, { filter: { recipient } }, (t) => {
      const digits = recipient.replace(/\D/g, '');
      return t.phone.startsWith(`+${digits}`) || t.phone.endsWith(digits);
    });
  expect(await same(mixed, { search: '4567' }, (t) => t.phone.endsWith('4567'))).toBe(1);
  await same(mixed, { search: '+79161234567' }, (t) => t.phone === '+79161234567');
  await same(mixed, { search: 'hello name1' }, (t) => /hello name1/i.test(t.body ?? ''));
});

test('by the times of creation and change, both ends left out', async () => {
  const rows = truth.filter(own(mixed));
  const iso = (ms: number) => new Date(ms).toISOString();
  for (const field of ['createdAt', 'updatedAt'] as const) {
    const times = rows.map((t) => t[field]).sort((a, b) => a - b);
    const [low, high] = [
      times[Math.floor(times.length / 4)]!,
      times[Math.floor(times.length * 0.75)]!,
    ];
    await same(mixed, { range: { [field]: { $gt: iso(low) } } }, (t) => t[field] > low);
    await same(mixed, { range: { [field]: { $lt: iso(high) } } }, (t) => t[field] < high);
    await same(
      mixed,
      {
        range: { [field]: { $gt: iso(low), $lt: iso(high) } },
        filter: { status: ['failed', 'sent'] },
      },
      (t) => t[field] > low && t[field] < high && ['failed', 'sent'].includes(t.status),
    );
  }
  const middle = rows[Math.floor(rows.length / 2)]!;
  await same(mixed, { filter: { cursor: middle.id } }, (t) => t.id < middle.id);
});

test('page by page along a cursor, both ways, with a filter', async () => {
  for (const direction of ['desc', 'asc'] as const) {
    const wanted = truth.filter(own(mixed)).filter((t) => t.status !== 'delivered');
    const status = STATUSES.filter((name) => name !== 'delivered');
    const ids: string[] = [];
    for (;;) {
      const cursor = ids.at(-1);
      const { data } = await mixed.api(sendings.find, {
        query: {
          limit: 23,
          order: [{ field: 'createdAt', direction }],
          filter: { status, ...(cursor && { cursor }) },
        },
      });
      if (!data.length) break;
      ids.push(...data.map((s) => s.id));
    }
    expect(ids).toEqual((direction === 'asc' ? wanted.toReversed() : wanted).map((t) => t.id));
  }
});

test('an offset beyond the counted rows is refused', async () => {
  await mixed.api(sendings.find, { query: { offset: COUNT_CAP } });
  await expect(
    mixed.api(sendings.find, { query: { offset: COUNT_CAP + 1 } }),
  ).rejects.toMatchObject({ status: 422 });
});

test('each level sees the tasks within its scope', async () => {
  const [ofReseller, ofManager, ofNobody] = customers.map((c) => own(c)) as [
    (t: Truth) => boolean,
    (t: Truth) => boolean,
    (t: Truth) => boolean,
  ];
  expect(truth.some(ofManager) && truth.some(ofNobody)).toBe(true);
  await same(reseller, {}, () => true, ofReseller);
  await same(manager, {}, () => true, ofManager);
  await same(
    chief,
    {},
    () => true,
    () => true,
  );
  const reaches = [
    [reseller, ofReseller],
    [manager, ofManager],
    [chief, () => true],
  ] as const;
  for (const [who, within] of reaches) {
    for (const status of STATUSES)
      await same(who, { filter: { status: [status] } }, (t) => t.status === status, within);
    await same(who, { filter: { type: ['sms'] } }, (t) => t.type === 'sms', within);
    await same(who, { filter: { recipient: '4567' } }, (t) => t.phone.endsWith('4567'), within);
    const { groupId } = truth.find((t) => t.groupId)!;
    await same(who, { filter: { groupId: groupId! } }, (t) => t.groupId === groupId, within);
    await same(
      who,
      { filter: { status: ['sent', 'failed'], type: ['viber'] } },
      (t) => ['sent', 'failed'].includes(t.status) && t.type === 'viber',
      within,
    );
  }
  await same(chief, { filter: { OwnerId: customers[2]!.id } }, () => true, ofNobody);
  await same(
    reseller,
    { filter: { OwnerId: mixed.id, status: ['paused'] } },
    (t) => t.status === 'paused',
    ofReseller,
  );
  const foreign = { filter: { OwnerId: customers[2]!.id } };
  await expect(reseller.api(sendings.find, { query: foreign })).rejects.toMatchObject({
    status: 404,
  });
  const one = truth.find(ofNobody)!;
  for (const who of [reseller, manager, mixed])
    await expect(who.api(sendings.get, { params: { id: one.id } })).rejects.toMatchObject({
      status: 404,
    });
  const { data } = await chief.api(sendings.find, { query: { limit: 1 } });
  expect(data[0]!.Owner).toMatchObject({ id: data[0]!.OwnerId });
  expect((await mixed.api(sendings.find, { query: { limit: 1 } })).data[0]!.Owner).toBeUndefined();
});

test('a range is as long as the level allows; without one it is the newest', async () => {
  const ago = (days: number) =>
    new Date(world.clock.now().getTime() - days * 86_400_000).toISOString();
  for (const [who, days] of [
    [mixed, 31],
    [reseller, 93],
    [manager, 93],
    [chief, 186],
  ] as const) {
    for (const [endpoint, field] of [
      [sendings.find, 'createdAt'],
      [sendings.find, 'updatedAt'],
      [sendingsIncoming.find, 'createdAt'],
    ] as const) {
      const find = ($gt: string, $lt?: string) =>
        who.api(endpoint, { query: { range: { [field]: { $gt, $lt } }, limit: 1 } });
      await find(ago(days));
      await find(ago(days + 100), ago(100));
      await expect(find(ago(days + 1))).rejects.toMatchObject({ status: 422, code: 'date_range' });
      await expect(find(ago(days + 102), ago(100))).rejects.toMatchObject({ status: 422 });
    }
  }
  expect(await problems(world)).toEqual([]);
  const { groupId } = truth.find((t) => t.OwnerId === mixed.id && t.groupId)!;
  await world.db.query(
    `insert into sendings_incoming (id, owner_id, type, "from", "to", payload) values ($1, $2, $3, '+79990000001', 'TEA', '{}')`,
    [uuidv7(world.clock.now()), mixed.id, typeCode('sms')],
  );
  expect((await mixed.api(sendingsIncoming.find)).total).toBe(1);
  world.clock.forward(40 * 86_400);
  expect((await mixed.api(sendingsIncoming.find)).total).toBe(0);
  expect((await reseller.api(sendingsIncoming.find)).total).toBe(1);
  expect((await mixed.api(sendings.find)).total).toBe(0);
  expect((await reseller.api(sendings.find)).total).toBe(truth.filter(own(mixed)).length);
  const older = await mixed.api(sendings.find, {
    query: { range: { createdAt: { $gt: ago(50), $lt: ago(25) } } },
  });
  expect(older.total).toBe(truth.filter(own(mixed)).length);
  const group = await mixed.api(sendings.find, { query: { filter: { groupId: groupId! } } });
  expect(group.total).toBe(truth.filter((t) => t.groupId === groupId).length);
});

test('a pending batch of several owners is listed once', async () => {
  const [batch] = await world.db.query<{ id: string; owner: string }>(
    `select id, owner_id as owner from batches where closed_at is null and stage <= 1 limit 1`,
  );
  const belongs = (owner: string | null) =>
    world.db.query(`update batches set owner_id = $2 where id = $1`, [batch!.id, owner]);
  await belongs(null);
  const query = { filter: { status: ['pending', 'paused'] as Status[] }, limit: 200 };
  const ids = (await chief.api(sendings.find, { query })).data.map(({ id }) => id);
  await belongs(batch!.owner);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
});
