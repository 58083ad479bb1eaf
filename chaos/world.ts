import { auth } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { hashPassword } from '../apps/api/src/core/auth/passwords.ts';
import { BASE_TARIFF } from '../seeds/base.ts';
import { Customer } from './customer.ts';
import type { Database } from './database.ts';
import type { Address } from './cluster.ts';

const PASSWORD = 'heliograph';
let hash: Promise<string> | undefined;

/** Tables with traffic and its accounts. */
const LEFT = `sendings, rollups, rollup_changes, message_costs, call_costs, margins, batches, fallback_triggers, closing_batches, carrier_refs, unmatched_reports, sendings_incoming, conversations, task_phones, task_counters, tasks,
  billings, balances, notifications, idempotency_keys, contacts, contact_lists, payments, payment_refunds, recurrent_payments,
  referral_bonuses, referral_returns, invoices, invoice_counters, webhooks, webhook_events,
  otp_sessions, otp_widget_channels, otp_widgets, otp_channels, otp_counters, otp_blocks, sealed_texts, automations, automation_runs`;

/** Clears the rows of the previous round, so that the hundredth takes no longer than the first. */
export async function clear(db: Database): Promise<void> {
  await db.rows(`truncate ${LEFT} cascade`);
}

/** The channel of the carrier; `deduplicates` as its option. */
export async function openChannel(
  db: Database,
  { carrier, secret }: Address,
  deduplicates: boolean,
): Promise<void> {
  await db.rows(
    `insert into channels (name, driver, types, priority, options) values ('carrier', 'http', '{viber,sms}', 100, $1)
     on conflict (name) do update set options = $1`,
    [{ url: `${carrier}/messages`, secret, deduplicates }],
  );
  // Processes cache the channels for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
}

export interface Account {
  id: string;
  customer: Customer;
}

interface Relations {
  level?: 'me' | 'manager';
  managerId?: string;
  referrerId?: string;
}

/** An account holder with money and an approved sender name. */
export async function account(
  db: Database,
  apis: string[],
  money: number,
  { level = 'me', managerId, referrerId }: Relations = {},
): Promise<Account> {
  const id = randomUUID();
  const username = `chaos-${id.slice(0, 8)}`;
  await db.rows(
    `insert into users (id, username, password_hash, owner_id, is_verified, phone_confirmed_at, level, manager_id, referrer_id)
     values ($1, $2, $3, $1, true, now(), $4, $5, $6) on conflict do nothing`,
    [id, username, await (hash ??= hashPassword(PASSWORD)), level, managerId, referrerId],
  );
  await db.rows(
    `insert into users_tariffs (owner_id, tariff_id) values ($1, $2) on conflict do nothing`,
    [id, BASE_TARIFF],
  );
  await give(db, id, money);
  await db.rows(
    `insert into sendernames (owner_id, name, type, moderation, comment) values ($1, 'MIRTEA', 'sms', 'approved', 'chaos') on conflict do nothing`,
    [id],
  );
  const { token } = await new Customer(apis, '').insist(auth.login, {
    body: { username, password: PASSWORD },
  });
  return { id, customer: new Customer(apis, token) };
}

/** An accrual under an id of its own, so that a repeat adds nothing. */
export async function give(db: Database, owner: string, money: number): Promise<void> {
  await db.rows(
    `with entry as (
       insert into billings (id, owner_id, source, amount) values ($1, $2, -1, $3) on conflict do nothing returning owner_id, amount)
     insert into balances (owner_id, balance) select owner_id, amount from entry
     on conflict (owner_id) do update set balance = balances.balance + excluded.balance`,
    [randomUUID(), owner, money],
  );
}

/** A list of so many people with phones of one operator. */
export async function list(db: Database, owner: string, count: number): Promise<string> {
  const id = randomUUID();
  await db.rows(
    `insert into contact_lists (id, owner_id, title, count) values ($1, $2, 'People', $3) on conflict do nothing`,
    [id, owner, count],
  );
  await db.rows(
    `insert into contacts (list_id, phone, first_name)
     select $1, '+7' || (9020000000 + n)::text, 'Name' || n from generate_series(1, $2) n on conflict do nothing`,
    [id, count],
  );
  return id;
}

/** A saved card whose first period has not been ended. */
export const IN_FIRST_PERIOD = `type = 'frequency' and status = 'ready' and anchor > now() - interval '12 hours'`;

/** Once its card is confirmed, the first period of an account's series ends now. */
export async function endPeriod(db: Database, owner: string): Promise<void> {
  await db.rows(
    `update recurrent_payments r set anchor = r.anchor - interval '1 day', next_at = r.next_at - interval '1 day'
      where owner_id = $1 and ${IN_FIRST_PERIOD}`,
    [owner],
  );
}

/** Spends what an account with a saved card has, to half of the threshold, if it is above it and the card may be charged. */
export async function spendDown(db: Database, owner: string, threshold: number): Promise<void> {
  await db.rows(
    `with spent as (
       select b.owner_id, b.balance - $3 / 2.0 as amount from balances b
        where b.owner_id = $2 and b.balance >= $3 and not exists (select 1 from billings where id = $1)
          and exists (select 1 from recurrent_payments r where r.owner_id = $2 and r.status = 'ready') for update of b
     ), entry as (
       insert into billings (id, owner_id, source, amount) select $1::uuid, owner_id, -2, -amount from spent returning owner_id, amount)
     update balances b set balance = b.balance + e.amount from entry e where b.owner_id = e.owner_id`,
    [randomUUID(), owner, threshold],
  );
}
