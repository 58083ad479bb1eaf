import {
  ADMINISTRATOR_GRANTS,
  sendings,
  tariffs,
  type ApiError,
  type TariffComparison,
  type TariffInput,
} from '@heliograph/contract';
import { amountOf, typeOf } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, finished, setCarrier } from '../../../../test/factories.ts';
import { raw } from '../../../../test/raw.ts';
import { randomBy } from '../../../../test/random.ts';
import { type Person, until, World } from '../../../../test/world.ts';
import { CatalogueService } from '../../tariffs/catalogue.service.ts';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import { ComparisonWorker } from './comparison-worker.ts';

type Rules = TariffInput['rules'];

const SEED = 20_261_129;
const BULKS = 4;
const RECIPIENTS = 120;
const DAY_MS = 86_400_000;

let world: World;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
beforeEach(async () => {
  // Of its own in each test: a user has one comparison.
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());

const random = randomBy(SEED);

const SENDERS = ['MIRTEA', 'BEACON'];
const WORDS = ['Anna', 'sale', 'чай', '50', 'teapot', 'x'.repeat(90), 'ы'.repeat(80)];
const PREFIXES = ['+7916', '+7926', '+7903', '+7950', '+7777', '+37529', '+4915'];

function randomRules(lists: string[], count = 12): Rules {
  const values = {
    type: ['sms', 'viber'],
    sender: SENDERS,
    text: ['an', 'ЧАЙ', '5'],
    keywords: WORDS.slice(0, 4),
    recipient: ['+7', '+7916', '+79161', '+37', '+4'],
    contactList: lists,
    group: ['service', 'advertising'],
    mccmnc: ['25001', '25002', '250*', '401*', '257*', '262*'],
  };
  const tags = Object.keys(values) as (keyof typeof values)[];
  return Array.from({ length: count }, () => ({
    action: random.below(3) ? ('increase' as const) : ('decrease' as const),
    price: random.below(30_000) / 10_000,
    priority: random.below(4),
    conditions: [...new Set(Array.from({ length: random.below(4) }, () => random.of(tags)))].map(
      (tag) => ({
        tag,
        value: [random.of(values[tag]), random.of(values[tag])],
      }),
    ),
  }));
}

const rule = (price: number, over: Partial<Rules[number]> = {}): Rules[number] => ({
  action: 'increase',
  price,
  priority: 0,
  conditions: [],
  ...over,
});
const tariff = (rules: Rules): TariffInput => ({
  title: 'Compared',
  source: 'any',
  isDefault: false,
  rules,
});
const create = async (by: Person, rules: Rules) =>
  (await by.api(tariffs.create, { body: tariff(rules) })).id;
const assign = (by: Person, who: Person, ids: string[]) =>
  by.api(tariffs.assign, {
    params: { id: who.id },
    body: { tariffs: ids.map((id, i) => ({ id, priority: 9 - i })) },
  });
const replace = (by: Person, id: string, rules: Rules) =>
  by.api(tariffs.replace, { params: { id }, body: tariff(rules) });

const period = () => ({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});
type Compared = Parameters<typeof start>[1];
const start = (
  by: Person,
  body: Partial<{ first: object; second: object; from: string; to: string; OwnerId: string }>,
) => by.api(tariffs.compare, { body: { ...period(), ...body } as never });
const shown = (by: Person, id: string, OwnerId?: string) =>
  by.api(tariffs.comparison, { params: { id }, query: { OwnerId } as never });
/** Whichever worker computes it, until its end. */
async function ended(by: Person, id: string): Promise<TariffComparison> {
  const worker = world.api.get(ComparisonWorker);
  for (;;) {
    await worker.run();
    const found = await shown(by, id);
    if (found.state === 'completed' || found.state === 'failed') return found;
  }
}
const compared = async (by: Person, body: Compared) => ended(by, (await start(by, body)).id);
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );

async function sms(who: Person, text: string, recipient = '+79161234567'): Promise<void> {
  const body = { type: 'sms', payload: { sender: 'MIRTEA', text }, recipient };
  await who.api(sendings.create, { body: body as never });
}

async function people(owner: Person): Promise<string> {
  const [list] = await world.db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title, type, count) values ($1, 'People', 'regular', $2) returning id`,
    [owner.id, RECIPIENTS],
  );
  const rows = Array.from({ length: RECIPIENTS }, (_, n) => {
    const prefix = random.of(PREFIXES);
    return {
      phone: `${prefix}${String(1_000_000 + n * 7).padStart(12 - prefix.length, '2')}`.slice(0, 14),
      name: `${random.of(WORDS)} ${random.of(WORDS)}`,
    };
  });
  await world.db.query(
    `insert into contacts (list_id, phone, first_name) select $1, p, n from unnest($2::text[], $3::text[]) u (p, n)`,
    [list!.id, rows.map(({ phone }) => phone), rows.map(({ name }) => name)],
  );
  return list!.id;
}

interface Message {
  type: number;
  sender: string;
  phone: string;
  text: string;
  mccmnc: string;
  group: string;
  list: string | null;
  multiplier: number;
  billed: number;
}

test('a tariff that billed costs what was billed, another one what each message would: random traffic, page by page', async () => {
  const owner = await world.person({ balance: 10_000_000 });
  for (const sender of SENDERS) await approve(world, owner.id, sender);
  const lists: string[] = [];
  for (let n = 0; n < BULKS; n++) lists.push(await people(owner));
  const first = await create(administrator, [rule(1), ...randomRules(lists)]);
  const beside = await create(administrator, randomRules(lists, 4));
  await assign(administrator, owner, [first, beside]);
  for (const [n, list] of lists.entries()) {
    const { json } = await raw(world, owner, 'POST', '/sendings', {
      type: n % 2 ? 'viber' : 'sms',
      payload: { sender: random.of(SENDERS), text: '{firstName|friend}' },
      recipient: { include: [list] },
    });
    await finished(owner, json.id);
  }
  for (const text of WORDS) await sms(owner, text);
  const messages = await world.db.query<Message>(
    `select s.type, s.sender, s.phone, coalesce(s.body, '') as text, s.mccmnc, coalesce(s.data->>'group', 'advertising') as "group",
            k.audience->0->>'list' as list, b.multiplier, (-b.amount)::float8 as billed
       from billings b join sendings s on s.id = b.id left join tasks k on k.id = s.group_id where b.owner_id = $1 and b.status = 1`,
    [owner.id],
  );
  expect(messages.length).toBeGreaterThan((BULKS * RECIPIENTS) / 2);
  const sizes = world.api.get(ComparisonWorker).sizes;
  const usual = { ...sizes };
  try {
    for (const [size, second] of [
      [7, { TariffId: first, version: 1 }],
      [50, { draft: { source: 'any', rules: randomRules(lists) } }],
      [5000, { draft: { source: 'sms', rules: randomRules(lists, 20) } }],
      [20_000, { draft: { source: 'any', rules: [rule(2.5)] } }],
      [30, { TariffId: await create(administrator, randomRules(lists)) }],
    ] as const) {
      Object.assign(sizes, { messages: size, texts: size, milliseconds: size > 1000 ? 1000 : 0 });
      const { id } = await start(administrator, { first: { TariffId: first }, second });
      const { state, totals, data, processed, total, isCut } = await ended(administrator, id);
      expect([state, processed, total, isCut]).toEqual([
        'completed',
        messages.length,
        messages.length,
        false,
      ]);
      expect(data.map(({ OwnerId }) => OwnerId)).toEqual([owner.id]);
      const expected = await priced(owner, messages, first, second);
      const sum = (of: (one: (typeof expected)[number]) => number) =>
        Number(expected.reduce((n, one) => n + of(one), 0).toFixed(4));
      const both = expected.filter((one) => one.first !== null && one.second !== null);
      const money = (of: (one: (typeof both)[number]) => number | null) =>
        Number(both.reduce((n, one) => n + of(one)!, 0).toFixed(4));
      expect([SEED, size, totals]).toMatchObject([
        SEED,
        size,
        [
          {
            messages: messages.length,
            compared: both.length,
            billed: money(({ billed }) => billed),
            first: money((one) => one.first),
            second: money((one) => one.second),
            withoutFirst: sum((one) => (one.first === null ? 1 : 0)),
            withoutSecond: sum((one) => (one.second === null ? 1 : 0)),
            unknown: 0,
          },
        ],
      ]);
      // What the first one costs is what was charged.
      expect(totals[0]!.first).toBe(totals[0]!.billed);
      const rows = (await shown(administrator, id, owner.id)).data;
      for (const row of rows) {
        const own = both.filter(
          ({ type, mccmnc }) => typeOf(type) === row.type && (mccmnc || null) === row.mccmnc,
        );
        expect([row.compared, row.second]).toEqual([
          own.length,
          Number(own.reduce((n, one) => n + one.second!, 0).toFixed(4)),
        ]);
      }
      expect(rows.reduce((n, { messages: m }) => n + m, 0)).toBe(messages.length);
    }
  } finally {
    Object.assign(sizes, usual);
  }
});

/** Each message by itself, by the books that bill. */
async function priced(owner: Person, messages: Message[], first: string, second: object) {
  const actor = { level: 'manager', OwnerId: administrator.id } as never;
  const catalogue = world.api.get(CatalogueService, { strict: false });
  const service = world.api.get(TariffsService, { strict: false });
  const one = await catalogue.compared(actor, { TariffId: first });
  const draft = (second as { draft?: { source: string; rules: Rules } }).draft;
  const other = draft
    ? {
        ...one,
        source: draft.source,
        // As it would be stored: of equal priorities the first of the list goes first.
        rules: draft.rules.map((r, i) => ({
          ...r,
          price: [r.price].flat(),
          id: `zzz${1000 - i}`,
        })),
      }
    : await catalogue.compared(actor, second as { TariffId: string });
  const books = (await service.booksWith(owner.id, [one, other]))!;
  return messages.map((message) => {
    const type = typeOf(message.type);
    const { list, mccmnc } = message;
    const [a, b] = books.map((book) => {
      const price = book.price({
        ...message,
        type,
        mccmnc: mccmnc || null,
        contactLists: list ? [list] : [],
      });
      return price && Number(amountOf(price.price, message.multiplier, type)) / 10_000;
    });
    return { ...message, first: a ?? null, second: b ?? null };
  });
}

test('what the rules ask for and is not kept any more is said, and nothing is guessed', async () => {
  const owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  const first = await create(administrator, [rule(2)]);
  await assign(administrator, owner, [first]);
  await sms(owner, 'A sale', '+79161234567');
  await sms(owner, 'Tea', '+79261234567');
  const ofMts = [{ tag: 'mccmnc' as const, value: '25001' }];
  const words = rule(1, {
    priority: 1,
    conditions: [{ tag: 'keywords', value: 'sale' }, ...ofMts],
  });
  const draft = { source: 'any', rules: [words, rule(3)] };
  const body = { first: { TariffId: first }, second: { draft } };
  expect((await compared(administrator, body)).totals).toMatchObject([
    { messages: 2, compared: 2, first: 4, second: 4, difference: 0, percent: 0, unknown: 0 },
  ]);
  // Nothing else is done with them any more.
  await until(async () => {
    const open = `select 1 from sendings where owner_id = $1 and outcome is null limit 1`;
    return !(await world.db.query(open, [owner.id])).length;
  }, 'the messages to be delivered');
  for (const forget of [
    `update batches set has_texts = false where id in (select batch_id from sendings where owner_id = $1)`,
    `update sendings set body = null where owner_id = $1`,
  ])
    await world.db.query(forget, [owner.id]);
  expect((await compared(administrator, body)).totals).toMatchObject([
    { messages: 2, compared: 1, first: 2, second: 3, difference: 1, percent: 50, unknown: 1 },
  ]);
  // Without the words nothing is missing.
  const plain = { ...body, second: { draft: { source: 'any', rules: [rule(3)] } } };
  expect((await compared(administrator, plain)).totals).toMatchObject([
    { compared: 2, first: 4, second: 6, unknown: 0 },
  ]);
  // Refunded messages, and those for which there is no price, are not compared.
  await world.db.query(
    `update billings set status = 2 where id = (select id from sendings where owner_id = $1 order by id limit 1)`,
    [owner.id],
  );
  const none = { ...body, second: { draft: { source: 'viber', rules: [rule(3)] } } };
  expect((await compared(administrator, none)).totals).toMatchObject([
    { messages: 1, compared: 0, first: 0, second: 0, percent: null, withoutSecond: 1 },
  ]);
});

test('a reseller compares its own tariffs for its own customers, and not below its own price', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const sibling = await world.person({ level: 'reseller' });
  const mine = await world.person({ resellerId: reseller.id, balance: 1000 });
  const theirs = await world.person({ resellerId: sibling.id, balance: 1000 });
  const cost = await create(administrator, [rule(2)]);
  for (const one of [reseller, sibling]) await assign(administrator, one, [cost]);
  const own = await create(reseller, [rule(5)]);
  const other = await create(sibling, [rule(6)]);
  await assign(reseller, mine, [own]);
  await assign(sibling, theirs, [other]);
  for (const one of [mine, theirs]) {
    await approve(world, one.id);
    await sms(one, 'Tea');
  }
  const draft = { draft: { source: 'any', rules: [rule(0.5)] } };
  const found = await compared(reseller, { first: { TariffId: own }, second: draft });
  expect(found.data).toMatchObject([
    {
      OwnerId: mine.id,
      username: mine.username,
      first: 5,
      second: 2,
      difference: -3,
      percent: -60,
    },
  ]);
  for (const id of [other, cost]) {
    const first = { TariffId: id };
    expect(await codeOf(start(reseller, { first, second: draft }))).toBe('not_found');
    const second = { TariffId: id };
    expect(await codeOf(start(reseller, { first: { TariffId: own }, second }))).toBe('not_found');
  }
  const given = { first: { TariffId: own }, second: draft };
  expect(await codeOf(start(reseller, { ...given, OwnerId: theirs.id }))).toBe('not_found');
  expect(await codeOf(start(mine, given))).toBe('forbidden');
  // Of another user nothing is seen, and of an account that has left neither.
  expect(await codeOf(shown(sibling, found.id))).toBe('not_found');
  expect(await codeOf(shown(administrator, found.id))).toBe('not_found');
  await world.db.query(`update users set reseller_id = $2 where id = $1`, [mine.id, sibling.id]);
  expect(await shown(reseller, found.id)).toMatchObject({ data: [], totals: [] });
  expect((await compared(reseller, given)).data).toEqual([]);
  // An administrator cannot set the prices of two resellers against each other.
  const mixed = { first: { TariffId: own }, second: { TariffId: other } };
  await expect(start(administrator, mixed)).rejects.toMatchObject({
    body: { data: [{ field: 'second', type: 'invalid_value' }] },
  });
});

test('accounts without the first tariff are left out, and with the tariff of a reseller in its place the customers of others', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const [mine, direct, without] = [
    await world.person({ resellerId: reseller.id, balance: 1000 }),
    await world.person({ balance: 1000 }),
    await world.person({ balance: 1000 }),
  ];
  const first = await create(administrator, [rule(2)]);
  const own = await create(reseller, [rule(5)]);
  await assign(administrator, reseller, [first]);
  for (const one of [mine, direct]) await assign(administrator, one, [first]);
  for (const one of [mine, direct, without]) {
    await approve(world, one.id);
    await sms(one, 'Tea');
  }
  const draft = {
    first: { TariffId: first },
    second: { draft: { source: 'any', rules: [rule(3)] } },
  };
  const ids = async (body: Compared) =>
    (await compared(administrator, body)).data.map(({ OwnerId }) => OwnerId).toSorted();
  expect(await ids(draft)).toEqual([mine.id, direct.id].toSorted());
  expect(await ids({ ...draft, OwnerId: direct.id })).toEqual([direct.id]);
  expect(await ids({ ...draft, second: { TariffId: own } })).toEqual([mine.id]);
  const manager = await world.person({ level: 'manager', grants: { add: ['tariffs.update'] } });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [direct.id, manager.id]);
  expect((await compared(manager, draft)).data.map(({ OwnerId }) => OwnerId)).toEqual([direct.id]);
  // A former period has no messages.
  const earlier = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
  expect(await compared(administrator, { ...draft, ...earlier })).toMatchObject({
    state: 'completed',
    total: 0,
    totals: [],
    data: [],
  });
});

test('rules about texts and recipients need the right to read messages, also while a worker computes', async () => {
  const remove = ['sendings.get'] as const;
  const who = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS, remove: [...remove] },
  });
  const first = await create(who, [rule(2)]);
  for (const tag of ['text', 'keywords', 'recipient'] as const) {
    const value = tag === 'recipient' ? '+79161234567' : 'secret';
    const rules = [rule(1, { conditions: [{ tag, value }] })];
    const body = { first: { TariffId: first }, second: { draft: { source: 'any', rules } } };
    await expect(start(who, body)).rejects.toMatchObject({
      body: { code: 'forbidden', payload: { permission: 'sendings.get' } },
    });
  }
  const draft = { draft: { source: 'any', rules: [rule(3)] } };
  expect(await codeOf(start(who, { first: { TariffId: first }, second: draft }))).toBe('answered');
  const other = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  const { id } = await start(other, { first: { TariffId: first }, second: draft });
  await ended(other, id);
  await world.db.query(`update users set is_active = false where id = $1`, [other.id]);
  await world.db.query(
    `update tariff_comparisons set state = 'pending', total = null where id = $1`,
    [id],
  );
  const state = await until(async () => {
    await world.api.get(ComparisonWorker).run();
    const [row] = await world.db.query<{ state: string }>(
      `select state from tariff_comparisons where id = $1 and state not in ('pending', 'running')`,
      [id],
    );
    return row?.state;
  }, 'the end of the comparison');
  expect(state).toBe('failed');
});

test('a user has one comparison, the last one; it is deleted after a day', async () => {
  const first = await create(administrator, [rule(2)]);
  const body = { first: { TariffId: first }, second: { TariffId: first } };
  const former = await start(administrator, body);
  const last = await compared(administrator, body);
  expect(await codeOf(shown(administrator, former.id))).toBe('not_found');
  const worker = world.api.get(ComparisonWorker);
  await worker.deleteOldComparisons();
  expect(await codeOf(shown(administrator, last.id))).toBe('answered');
  await world.db.query(
    `update tariff_comparisons set created_at = created_at - interval '25 hours' where id = $1`,
    [last.id],
  );
  await worker.deleteOldComparisons();
  expect(await codeOf(shown(administrator, last.id))).toBe('not_found');
});

test('a version that does not exist, and a longer period, are refused', async () => {
  const first = await create(administrator, [rule(2)]);
  await replace(administrator, first, [rule(3)]);
  const second = { TariffId: first, version: 1 };
  const body = { first: { TariffId: first }, second };
  expect(await codeOf(start(administrator, body))).toBe('answered');
  const missing = { ...body, second: { TariffId: first, version: 3 } };
  expect(await codeOf(start(administrator, missing))).toBe('not_found');
  const long = { from: '2026-01-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };
  await expect(start(administrator, { ...body, ...long })).rejects.toMatchObject({
    body: { data: [{ field: 'to', type: 'period' }] },
  });
});
