import { contract, type Call, type Endpoint } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from './world.ts';

/** Enough rows of an account (`$1`) that the planner uses the search index, and the actor who searches. */
interface Searched {
  index: string;
  rows: number;
  insert: string;
  by?: () => Person;
}

const SEARCHED: Record<string, Searched> = {
  tasks: {
    index: 'tasks_words',
    rows: 10_000,
    insert: `insert into tasks (owner_id, user_id, title, state, data, audience, expected) select $1, $1, 'Sale ' || md5(n::text), 'completed', '{}', '[]', 0`,
  },
  links: {
    index: 'links_words',
    rows: 10_000,
    insert: `insert into links (owner_id, url, code) select $1, 'https://tea.example/' || md5(n::text), n::text`,
  },
  templates: {
    index: 'templates_words',
    rows: 1000,
    insert: `insert into templates (owner_id, title, type, payload) select $1, 'Sale ' || n, 'sms', jsonb_build_object('text', md5(n::text))`,
  },
  contactLists: {
    index: 'contact_lists_words',
    rows: 3000,
    insert: `insert into contact_lists (owner_id, title) select $1, 'People ' || md5(n::text)`,
  },
  contacts: {
    index: 'contacts_words',
    rows: 10_000,
    insert: `insert into contacts (list_id, phone, first_name)
             select (select id from contact_lists where owner_id = $1 order by id limit 1), '+7902' || (1000000 + n), md5(n::text)`,
  },
  storage: {
    index: 'files_words',
    rows: 3000,
    insert: `insert into files (owner_id, title, filename, type, size, hash) select $1, 'Photo ' || md5(n::text), n || '.png', 'image/png', 1, ''`,
  },
  sendernames: {
    index: 'sendernames_words',
    rows: 3000,
    insert: `insert into sendernames (owner_id, name, type, comment) select $1, 'S' || n, 'sms', 'Tea House ' || md5(n::text)`,
  },
  sendingsIncoming: {
    index: 'sendings_incoming_words',
    rows: 10_000,
    insert: `insert into sendings_incoming (owner_id, type, "from", "to", payload) select $1, 1, '+7902' || (1000000 + n), 'TEA', jsonb_build_object('text', md5(n::text))`,
  },
  invoices: {
    index: 'invoices_words',
    rows: 3000,
    insert: `with company as (insert into companies (title, tax_system, data) values ('Tea House', 'general', '{}') returning id)
             insert into invoices (owner_id, type, source, amount, currency, company_id, year, number, doc_number, day, snapshot, document_id)
             select $1, 'invoice', 'user', 100, 'RUB', company.id, 2026, n, 'T-' || n, '2026-01-01',
                    jsonb_build_object('titles', jsonb_build_object('requisite', md5(n::text))), gen_random_uuid() from company cross join (select n`,
  },
  users: {
    index: 'users_words',
    rows: 3000,
    insert: `insert into users (id, username, password_hash, owner_id, manager_id, data)
             select id, 'user-' || n, 'x', id, $1, jsonb_build_object('email', md5(n::text) || '@tea.example')
               from (select n, uuidv7() as id`,
    by: () => manager,
  },
  billings: {
    index: 'billings_words',
    rows: 3000,
    insert: `insert into billings (owner_id, source, amount, comment) select $1, -1, 0, md5(n::text)`,
    by: () => manager,
  },
  payments: {
    index: 'payments_words',
    rows: 3000,
    insert: `insert into payments (owner_id, method, amount, currency, status, external_id, card_number, url_success, url_fail, expires_at)
             select $1, 'sandbox', 100, 'RUB', 'completed', md5(n::text), '4242', '', '', now()`,
  },
  telemetry: {
    index: 'visits_words',
    rows: 3000,
    insert: `insert into visits (user_id, owner_id, ip, action, useragent) select $1, $1, '203.0.113.1', 'login', md5(n::text)`,
  },
};
/**
 * The installation's own are few, and so are patterns, which managers enter one by one and every message reads all of its
 * account; of messages those of a period are read, along the index of their owner.
 */
const BOUNDED = [
  'channels',
  'tariffs',
  'routingGroups',
  'messageRuleGroups',
  'patterns',
  'sendings',
  'tokens',
  'wapi',
  'webhooks',
  'integrations',
  'inboundRules',
  // By the beginning of the address, along its index.
  'suppressions',
  // The same, or by the words of incoming messages, of which the last thousand are read.
  'conversations',
  'otpWidgets',
  'otpChannels',
  'otpTemplates',
  'requisites',
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
  for (const { insert, rows, index, by } of Object.values(SEARCHED)) {
    const close = /\(select n\b/.test(insert) ? ') s' : '';
    await db.query(`${insert} from generate_series(1, ${rows}) n${close}`, [(by?.() ?? who).id]);
    await db.query(`vacuum analyze ${index.replace('_words', '')}`);
  }
});
afterAll(() => world.stop());

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
      `select indexrelname as index, idx_scan::int as n from pg_stat_user_indexes where indexrelname like '%_words'`,
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
  await expect.poll(unused, { timeout: 5000 }).toEqual([]);
});
