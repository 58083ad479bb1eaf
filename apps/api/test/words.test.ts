import { contract, type Call, type Endpoint } from '@heliograph/contract';
import { foldText } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from './world.ts';

/** Enough rows of an account (`$1`) that the planner uses the search index, and the actor who searches. */
interface Searched {
  index: string;
  rows: number;
  insert: string;
  by?: () => Person;
}

/** The word of the first row, as a word processor writes it, and what is typed to find it: other case, no accents, in NFD. */
const WRITTEN = 'Ёлка-Йод d’Été Лукʼяненко Straße';
const TYPED = "ЕЛКА-йод D'ETE лук'яненко strasse".normalize('NFD');

const SEARCHED: Record<string, Searched> = {
  tasks: {
    index: 'tasks_search',
    rows: 10_000,
    insert: `insert into tasks (owner_id, user_id, title, state, data, audience, expected) select $1, $1, 'Sale ' || word(n), 'completed', '{}', '[]', 0`,
  },
  links: {
    index: 'links_search',
    rows: 10_000,
    insert: `insert into links (owner_id, url, code) select $1, 'https://tea.example/' || word(n), n::text`,
  },
  templates: {
    index: 'templates_search',
    rows: 1000,
    insert: `insert into templates (owner_id, title, type, payload) select $1, 'Sale ' || n, 'sms', jsonb_build_object('text', word(n))`,
  },
  contactLists: {
    index: 'contact_lists_search',
    rows: 3000,
    insert: `insert into contact_lists (owner_id, title) select $1, 'People ' || word(n)`,
  },
  contacts: {
    index: 'contacts_search',
    rows: 10_000,
    insert: `insert into contacts (list_id, phone, first_name)
             select (select id from contact_lists where owner_id = $1 order by id limit 1), '+7902' || (1000000 + n), word(n)`,
  },
  storage: {
    index: 'files_search',
    rows: 3000,
    insert: `insert into files (owner_id, title, filename, type, size, hash) select $1, 'Photo ' || word(n), n || '.png', 'image/png', 1, ''`,
  },
  sendernames: {
    index: 'sendernames_search',
    rows: 3000,
    insert: `insert into sendernames (owner_id, name, type, comment) select $1, 'S' || n, 'sms', 'Tea House ' || word(n)`,
  },
  sendingsIncoming: {
    index: 'sendings_incoming_search',
    rows: 10_000,
    insert: `insert into sendings_incoming (owner_id, type, "from", "to", payload) select $1, 1, '+7902' || (1000000 + n), 'TEA', jsonb_build_object('text', word(n))`,
  },
  invoices: {
    index: 'invoices_search',
    rows: 3000,
    insert: `with company as (insert into companies (title, tax_system, data) values ('Tea House', 'general', '{}') returning id)
             insert into invoices (owner_id, type, source, amount, currency, company_id, year, number, doc_number, day, snapshot, document_id)
             select $1, 'invoice', 'user', 100, 'RUB', company.id, 2026, n, 'T-' || n, '2026-01-01',
                    jsonb_build_object('titles', jsonb_build_object('requisite', word(n))), gen_random_uuid() from company cross join (select n`,
  },
  users: {
    index: 'users_search',
    rows: 3000,
    insert: `insert into users (id, username, password_hash, owner_id, manager_id, data)
             select id, 'user-' || n, 'x', id, $1, jsonb_build_object('lastName', word(n))
               from (select n, uuidv7() as id`,
    by: () => manager,
  },
  billings: {
    index: 'billings_search',
    rows: 3000,
    insert: `insert into billings (owner_id, source, amount, comment) select $1, -1, 0, word(n)`,
    by: () => manager,
  },
  payments: {
    index: 'payments_search',
    rows: 3000,
    insert: `insert into payments (owner_id, method, amount, currency, status, external_id, card_number, url_success, url_fail, expires_at)
             select $1, 'sandbox', 100, 'RUB', 'completed', word(n), '4242', '', '', now()`,
  },
  telemetry: {
    index: 'visits_search',
    rows: 3000,
    insert: `insert into visits (user_id, owner_id, ip, action, useragent) select $1, $1, '203.0.113.1', 'login', word(n)`,
  },
};
/**
 * The installation's own are few, and so are patterns, which managers enter one by one and every message reads all of its
 * account; of messages those of a period are read, along the index of their owner.
 */
const BOUNDED = [
  'channels',
  'packageOffers',
  // Those of one channel, at most 100,000.
  'channelSendernames',
  'tariffs',
  'routes',
  'routingGroups',
  'messageRuleGroups',
  'patterns',
  'sendings',
  'tokens',
  'wapi',
  'webhooks',
  'integrations',
  'inboundRules',
  'segments',
  'signupForms',
  // By the beginning of the address, along its index.
  'suppressions',
  'pushDevices',
  // The same, or by the words of incoming messages, of which the last thousand are read.
  'conversations',
  'otpWidgets',
  'otpChannels',
  'otpTemplates',
  'requisites',
  'contracts',
  'companies',
  'documentTemplates',
  // Twenty of an account.
  'recurrentPayments',
  // Those of one person, for as long as they are kept.
  'notifications',
];

let world: World;
let who: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  who = await world.person();
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const { db } = world;
  await db.query(
    `create function word(n int) returns text language sql
       return case when n = 1 then '${WRITTEN}' else md5(n::text) end`,
  );
  for (const { insert, rows, index, by } of Object.values(SEARCHED)) {
    const close = /\(select n\b/.test(insert) ? ') s' : '';
    await db.query(`${insert} from generate_series(1, ${rows}) n${close}`, [(by?.() ?? who).id]);
    await world.alone(`vacuum analyze ${index.replace('_search', '')}`);
  }
});
afterAll(async () => {
  await world.db.query('drop function word');
  await world.stop();
});

const searchOf = (def: Endpoint) =>
  (def.query?.safeParse({ $search: 'zzzz' }).data as { search?: string } | undefined)?.search;
const lists = Object.entries(contract).flatMap(([noun, all]) =>
  Object.values(all as Record<string, Endpoint>)
    .filter((def) => searchOf(def) === 'zzzz')
    .map((def) => ({ noun, def })),
);

test('every list that can be searched has an index of its words or is bounded', () => {
  expect([...new Set(lists.map(({ noun }) => noun))].toSorted()).toEqual(
    [...Object.keys(SEARCHED), ...BOUNDED].toSorted(),
  );
});

test('every text search uses its index', async () => {
  const scans = async () => {
    const rows = await world.db.query<{ index: string; n: number }>(
      `select indexrelname as index, idx_scan::int as n from pg_stat_user_indexes where indexrelname like '%\\_search'`,
    );
    return new Map(rows.map(({ index, n }) => [index, n]));
  };
  const before = await scans();
  for (const { noun, def } of lists.filter((list) => SEARCHED[list.noun])) {
    const call = { query: { $search: 'zzzz' } } as Call<Endpoint>;
    const page = await (SEARCHED[noun]!.by?.() ?? who).api(def, call);
    expect([noun, page]).toEqual([noun, expect.objectContaining({ data: [] })]);
  }
  const unused = async () => {
    const now = await scans();
    return Object.values(SEARCHED).filter(({ index }) => now.get(index) === before.get(index));
  };
  await expect.poll(unused).toEqual([]);
});

/** Payments are found by digits and whole ids, and the rows of invoices here are too few columns to be shown. */
const SHOWN = Object.keys(SEARCHED).filter((noun) => !['payments', 'invoices'].includes(noun));
test.each(SHOWN)(
  'a search of %s folds case, accents and ё, however they are composed',
  async (noun) => {
    const { def } = lists.find((list) => list.noun === noun)!;
    const as = SEARCHED[noun]!.by?.() ?? who;
    const found = async (text: string) =>
      ((await as.api(def, { query: { $search: text } } as Call<Endpoint>)) as { data: unknown[] })
        .data.length;
    expect(await found(TYPED)).toBe(1);
    expect(await found(WRITTEN)).toBe(1);
    // Another letter, not an accent.
    expect(await found(TYPED.normalize().replace('й', 'и'))).toBe(0);
  },
);

test('the database folds texts as the domain does', async () => {
  const letters = [0x20, 0x1e00, 0x2000, 0xfb00, 0xff00].flatMap((from) =>
    Array.from({ length: from === 0x20 ? 0x530 : 0x100 }, (_, i) => String.fromCharCode(from + i)),
  );
  const texts = [
    ...letters.filter((letter) => /[\p{L}\p{N}\p{P}\p{S}\p{Z}]/u.test(letter)),
    WRITTEN,
    TYPED,
    'за\u0301мок',
    'Їжак і Ўсё',
    'ΟΔΟΣ',
    'İstanbul',
    'Лукʼяненко oʻzbek d´Été d`Été d′Été 5″ ׳ ՚ ꞌ ＇｀',
    'ﬁn ™',
    '👨‍👩‍👧 да',
    'Cœur Łódź Ærø'.normalize('NFD'),
    'ё'.repeat(2001),
    'e\u0301'.repeat(1500),
  ];
  const rows = await world.db.query<{ text: string; folded: string }>(
    `select text, folded(text) from unnest($1::text[]) text`,
    [texts],
  );
  expect(rows.filter(({ text, folded }) => folded !== foldText(text))).toEqual([]);
  expect(rows).toHaveLength(texts.length);
});

test('a text of nothing but accents is folded at once', async () => {
  const marks = '\u0301\u0323'.repeat(100_000);
  const [row] = await world.db.query<{ folded: string }>('select folded($1)', [`a${marks}`]);
  expect(row).toEqual({ folded: 'a' });
});
