import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lists of all accounts and of many read the owner, and the filters beside the order, from the index alone. */
const INDEXES: Record<string, [after: string, before: string]> = {
  payments_newest: ['payments (id) include (owner_id)', ''],
  payments_amount: [
    'payments (amount, id) include (owner_id, status, method)',
    'payments (amount, id)',
  ],
  payments_method: ['payments (method, id) include (owner_id, amount)', 'payments (method, id)'],
  payments_method_status: [
    'payments (method, status, id) include (owner_id, amount)',
    'payments (method, status, id)',
  ],
  payments_status: ['payments (status, id) include (owner_id, amount)', 'payments (status, id)'],
  payments_owner: ['payments (owner_id, id) include (amount)', 'payments (owner_id, id)'],
  payments_owner_method: [
    'payments (owner_id, method, id) include (amount)',
    'payments (owner_id, method, id)',
  ],
  payments_owner_method_status: [
    'payments (owner_id, method, status, id) include (amount)',
    'payments (owner_id, method, status, id)',
  ],
  payments_owner_status: [
    'payments (owner_id, status, id) include (amount)',
    'payments (owner_id, status, id)',
  ],
  payments_owner_amount: [
    'payments (owner_id, amount, id) include (status, method)',
    'payments (owner_id, amount, id)',
  ],
  invoices_amount: ['invoices (amount, id) include (owner_id, status)', 'invoices (amount, id)'],
  invoices_created: [
    'invoices (created_at, id) include (owner_id)',
    'invoices (created_at desc, id desc)',
  ],
  invoices_owner_amount: [
    'invoices (owner_id, amount, id) include (status)',
    'invoices (owner_id, amount, id)',
  ],
  invoices_status: [
    'invoices (status, created_at, id) include (owner_id)',
    'invoices (status, created_at, id)',
  ],
  recurrent_payments_amount: ['recurrent_payments (amount, id) include (owner_id, status)', ''],
};

export class MoneyLists1763700000093 implements MigrationInterface {
  up(q: QueryRunner): Promise<void> {
    return replace(q, 0);
  }

  down(q: QueryRunner): Promise<void> {
    return replace(q, 1);
  }
}

async function replace(q: QueryRunner, side: 0 | 1): Promise<void> {
  for (const [name, targets] of Object.entries(INDEXES)) {
    await q.query(`drop index if exists ${name}`);
    if (targets[side]) await q.query(`create index ${name} on ${targets[side]}`);
  }
}
