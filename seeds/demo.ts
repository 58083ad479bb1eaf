import { BASE_TARIFF } from './base.ts';
import { BLACKLISTED, CUSTOMERS, testContacts, VIPS, type DemoContact } from './demo-contacts.ts';
import { seedCompanies, type SeededTemplate } from './demo-companies.ts';
import { seedTokens } from './demo-tokens.ts';
import { seedSessions } from './demo-sessions.ts';
import { seedRequisites } from './demo-requisites.ts';
import { seedPayments } from './demo-payments.ts';
import { seedReferrals } from './demo-referrals.ts';
import { seedAutomations } from './demo-automations.ts';
import { seedConversations } from './demo-conversations.ts';
import { seedSuppressions } from './demo-suppressions.ts';
import { seedDemoReports } from './demo-reports.ts';
import { GUESTS } from './demo-traffic.ts';
import { PATTERNS, ROUTING_GROUP, RULE_GROUP, SENDERNAMES, TEMPLATES } from './demo-texts.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const id = (n: number) => `01930000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;
/** The people of the demo world, the same in every installation. */
export const PEOPLE = { manager: id(1), reseller: id(2), customer: id(3), customer2: id(4) };
export const LISTS = {
  customers: id(11),
  vip: id(12),
  blacklist: id(13),
  testNumbers: id(14),
  customer2: id(15),
};

/** More customers of the reseller, with whose names nobody signs in. */
export const CLIENTS = { aroma: id(5), bookcafe: id(6), sportlife: id(7) };
const ALL = { ...PEOPLE, ...CLIENTS };

interface Account {
  name: keyof typeof ALL;
  level: string;
  keptBy?: { reseller?: string; manager?: string };
  data: object;
  overdraft: number;
  /** What came in and went out by hand: so many days ago, how much. Their sum is the balance. */
  entries: [daysAgo: number, amount: number][];
}

const person = (firstName: string, lastName: string, phone: string, name: string) => ({
  firstName,
  lastName,
  phone,
  email: `${name}@heliograph.example`,
  country: 'RU',
});
function client(
  name: keyof typeof CLIENTS,
  firstName: string,
  lastName: string,
  n: number,
  entries: Account['entries'],
): Account {
  return {
    name,
    level: 'me',
    keptBy: { reseller: PEOPLE.reseller, manager: PEOPLE.manager },
    data: person(firstName, lastName, `+790055501${String(n).padStart(2, '0')}`, name),
    overdraft: 0,
    entries,
  };
}

const ACCOUNTS: Account[] = [
  {
    name: 'manager',
    level: 'manager',
    data: person('Марина', 'Орлова', '+79005550101', 'manager'),
    overdraft: 0,
    entries: [],
  },
  {
    name: 'reseller',
    level: 'reseller',
    keptBy: { manager: PEOPLE.manager },
    data: person('Роман', 'Седов', '+79005550102', 'reseller'),
    overdraft: 5000,
    entries: [[75, 100_000]],
  },
  {
    name: 'customer',
    level: 'me',
    keptBy: { reseller: PEOPLE.reseller, manager: PEOPLE.manager },
    data: person('Анна', 'Мирская', '+79005550103', 'customer'),
    overdraft: 0,
    entries: [
      [60, 10_000],
      [50, 8000],
      [45, 500],
      [44, -500],
      [31, 15_000],
      [30, -1250.5],
      [23, 5000],
      [16, 3500],
      [12, 100],
      [9, 6000],
      [3, 4000],
      [5, 50],
    ],
  },
  {
    name: 'customer2',
    level: 'me',
    keptBy: { reseller: PEOPLE.reseller, manager: PEOPLE.manager },
    data: person('Борис', 'Зернов', '+79005550104', 'customer2'),
    overdraft: 0,
    entries: [
      [61, 2500],
      [14, 1500],
      [12, 1000],
      [5, 500],
    ],
  },
  client('aroma', 'Инна', 'Лаврова', 5, [
    [70, 2500],
    [30, 2000],
  ]),
  client('bookcafe', 'Пётр', 'Вольский', 6, [[65, 4000]]),
  client('sportlife', 'Олег', 'Громов', 7, [
    [66, 800],
    [20, 1500],
  ]),
];

export interface DemoOptions {
  /** Of the password of each account, by its name. */
  passwordHashes: Record<string, string>;
  /** What the manager is granted, who administers the installation. */
  administratorGrants: string[];
  /** Phones with a fixed outcome, and what each does. */
  testNumbers: { phone: string; outcome: string }[];
  /** The templates of each company. */
  documentTemplates: SeededTemplate[];
}

/** Invented people with money, lists, sender names and templates. For a database without users. */
export async function seedDemo(query: Query, options: DemoOptions): Promise<void> {
  for (const account of ACCOUNTS) await open(query, account, options);
  const { customer, customer2 } = PEOPLE;
  await fill(query, LISTS.customers, customer, 'Customers', CUSTOMERS);
  await fill(query, LISTS.vip, customer, 'VIP', VIPS);
  await fill(query, LISTS.blacklist, customer, 'Blacklist', BLACKLISTED, 'blacklist');
  await fill(query, LISTS.testNumbers, customer, 'Test numbers', testContacts(options.testNumbers));
  await seedSessions(query, customer);
  await fill(query, LISTS.customer2, customer2, 'Regulars', RECIPIENTS.customer2);
  await seedDemoReports(query, customer);
  await seedAutomations(query, customer);
  await seedConversations(query, customer);
  await seedSuppressions(query, PEOPLE.customer);
  await query(
    `insert into quiet_hours (owner_id, is_active, starts, ends, groups, singles, time_zone)
     values ($1, true, 22 * 60, 8 * 60, '{advertising}', false, 'Asia/Yekaterinburg')`,
    [PEOPLE.reseller],
  );
  await seedRequisites(query, customer);
  await seedPayments(query, customer, PEOPLE.manager);
  await seedReferrals(query, customer, customer2);
  await query(
    `insert into sendernames (owner_id, name, type, moderation, comment, reseller_comment, created_at)
     select ($1::jsonb->>r.owner)::uuid, r.name, r.type, r.moderation, r.comment, r.reseller_comment, now() - make_interval(days => r.days)
       from jsonb_to_recordset($2::jsonb) as r(owner text, name text, type text, moderation text, comment text, reseller_comment text, days int)`,
    [JSON.stringify(ALL), JSON.stringify(SENDERNAMES)],
  );
  await seedOtp(query, customer);
  await query(
    `insert into templates (owner_id, title, type, payload, recipient, fallbacks, moderation, comment, created_at)
     select $1, r.title, r.type, r.payload, r.recipient, r.fallbacks, coalesce(r.moderation, 'approved'), r.comment, now() - make_interval(days => 30 - r.n::int)
       from rows from (jsonb_to_recordset($2::jsonb) as (title text, type text, payload jsonb, recipient jsonb, fallbacks jsonb, moderation text, comment text)) with ordinality
         as r(title, type, payload, recipient, fallbacks, moderation, comment, n)`,
    [customer, JSON.stringify(TEMPLATES(LISTS))],
  );
  await query(
    `with g as (insert into routing_groups (title, routes) values ($3, $4) returning id)
     insert into users_routing_groups (owner_id, group_id, position) select unnest(array[$1, $2]::uuid[]), id, 1 from g`,
    [customer, customer2, ROUTING_GROUP.title, JSON.stringify(ROUTING_GROUP.routes)],
  );
  await query(
    `with g as (insert into message_rule_groups (title, rules) values ($2, $3) returning id)
     insert into users_message_rule_groups (owner_id, group_id, position) select $1, id, 1 from g`,
    [customer2, RULE_GROUP.title, JSON.stringify(RULE_GROUP.rules)],
  );
  await query(
    `insert into patterns (owner_id, title, type, sender, text, "group", created_at)
     select $1, r.title, r.type, r.sender, r.text, r."group", now() - interval '30 days'
       from jsonb_to_recordset($2::jsonb) as r(title text, type text, sender text, text text, "group" text)`,
    [customer, JSON.stringify(PATTERNS)],
  );
  await seedTokens(query, customer);
  await seedCompanies(query, options.documentTemplates);
}

/** Everybody who gets messages in the history, by audience. */
export const RECIPIENTS = {
  customers: CUSTOMERS.filter((person) => !BLACKLISTED.includes(person)),
  customer2: CUSTOMERS.slice(100, 112),
  guests: GUESTS.map((phone) => ({ phone })),
};

async function open(
  query: Query,
  account: Account,
  { passwordHashes, administratorGrants }: DemoOptions,
): Promise<void> {
  const { name, level, keptBy, data, overdraft, entries } = account;
  const own = ALL[name];
  await query(
    `insert into users (id, owner_id, username, password_hash, level, reseller_id, manager_id, grants, data, is_verified, created_at, email_confirmed_at, phone_confirmed_at)
     values ($1, $1, $2, $3, $4, $5, $6, $7, $8, true, now() - interval '90 days', now() - interval '90 days', now() - interval '90 days')`,
    [
      own,
      name,
      // Without a password nobody signs in.
      passwordHashes[name] ?? '',
      level,
      keptBy?.reseller ?? null,
      keptBy?.manager ?? null,
      level === 'manager' ? { add: administratorGrants } : {},
      data,
    ],
  );
  await query(`insert into users_tariffs (owner_id, tariff_id) values ($1, $2)`, [
    own,
    BASE_TARIFF,
  ]);
  await query(
    `insert into billings (id, owner_id, source, amount, created_by)
     select uuidv7(make_interval(days => -e.days)), $1, case when e.amount > 0 then -1 else -2 end, e.amount, $2
       from jsonb_to_recordset($3::jsonb) as e(days int, amount numeric)`,
    [own, PEOPLE.manager, JSON.stringify(entries.map(([days, amount]) => ({ days, amount })))],
  );
  await query(
    `insert into balances (owner_id, balance, overdraft)
     select $1, coalesce(sum(amount), 0), $2 from billings where owner_id = $1`,
    [own, overdraft],
  );
}

async function fill(
  query: Query,
  listId: string,
  owner: string,
  title: string,
  contacts: DemoContact[],
  type = 'regular',
): Promise<void> {
  await query(
    `insert into contact_lists (id, owner_id, title, type, count, created_at)
     values ($1, $2, $3, $4, $5, now() - interval '40 days')`,
    [listId, owner, title, type, contacts.length],
  );
  await query(
    `insert into contacts (list_id, phone, email, first_name, last_name, gender, date, custom)
     select $1, c.phone, c.email, c."firstName", c."lastName", c.gender, c.date, coalesce(c.custom, '{}')
       from jsonb_to_recordset($2::jsonb)
         as c(phone text, email text, "firstName" text, "lastName" text, gender text, date date, custom jsonb)`,
    [listId, JSON.stringify(contacts)],
  );
}

/** Sessions of a widget: how many, the channels of their codes, and the one whose code was entered. */
const OTP_SESSIONS: [count: number, sent: Record<string, number>, confirmed: string | null][] = [
  [27, { telegramcode: 1 }, 'telegramcode'],
  [9, { telegramcode: 1, flashcall: 1 }, 'flashcall'],
  [5, { telegramcode: 1, flashcall: 1, sms: 1 }, 'sms'],
  [4, { telegramcode: 1, flashcall: 1, sms: 2 }, null],
];

/** A widget of one-time codes with three channels, and its sessions. */
async function seedOtp(query: Query, owner: string): Promise<void> {
  const settings = (lifetime: number, length = 4) =>
    JSON.stringify({
      code: { length, beautify: false },
      lifetime,
      numberOfTries: 3,
      numberOfRestart: 2,
      mtsClientId: null,
    });
  await query(
    `with widget as (
       insert into otp_widgets (owner_id, name, styles, captcha_is_required, ip_whitelist)
       values ($1, 'Вход на сайт', '{"theme": "auto", "radius": 8}', true, '{"{ip}/0"}') returning id),
     channels as (
       insert into otp_channels (owner_id, name, channel_type, additional_settings)
       values ($1, 'Telegram', 'telegramcode', $2), ($1, 'Звонок', 'flashcall', $3), ($1, 'SMS', 'sms', $4) returning id, channel_type),
     template as (
       insert into otp_templates (owner_id, name, channel_type, additional_settings)
       values ($1, 'Код для входа', 'sms', '{"senderId": "MIRTEA", "template": "Код для входа: {code}"}'))
     insert into otp_widget_channels (widget_id, channel_id, priority)
     select w.id, c.id, array_position('{telegramcode,flashcall,sms}', c.channel_type) from widget w, channels c`,
    [owner, settings(40), settings(30), settings(120, 6)],
  );
  await query(
    `insert into otp_sessions (id, owner_id, widget_id, phone, prefix, state, steps, restarts, resend_at, created_at, expires_at, confirmed_at, confirmed_by, sent_by)
     select uuidv7(at - now()), $1, w.id, '+7999000' || lpad((100 + row_number() over ())::text, 4, '0'), '+7999000',
            case when r.confirmed is null then 3 else 2 end, '[]', '{}', at, at, at + interval '2 minutes',
            case when r.confirmed is not null then at + interval '20 seconds' end, r.confirmed, r.sent
       from otp_widgets w,
            jsonb_to_recordset($2::jsonb) as r(count int, sent jsonb, confirmed text),
            generate_series(1, r.count) n,
            lateral (select now() - (n * 13 + r.count) % 240 * interval '1 hour' - interval '2 hours' as at) t
      where w.owner_id = $1`,
    [
      owner,
      JSON.stringify(OTP_SESSIONS.map(([count, sent, confirmed]) => ({ count, sent, confirmed }))),
    ],
  );
}
