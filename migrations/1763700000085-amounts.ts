import { ConcurrentIndexes } from './concurrently.ts';

/** Lists in the order of amounts, and sums that are read from indexes alone. */
export class Amounts1763700000085 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_owner_status: 'on billings (owner_id, status, id) include (source, amount)',
    billings_owner_source: 'on billings (owner_id, source, id) include (status, amount)',
    billings_owner_amount: 'on billings (owner_id, amount, id) include (status, source)',
    payments_owner_method_status: 'on payments (owner_id, method, status, id)',
    payments_method_status: 'on payments (method, status, id)',
    invoices_owner_status: 'on invoices (owner_id, status, created_at, id)',
    invoices_status: 'on invoices (status, created_at, id)',
    invoices_owner_amount: 'on invoices (owner_id, amount, id)',
    invoices_amount: 'on invoices (amount, id)',
  };
  protected override readonly replaced = {
    billings_owner: 'on billings (owner_id, status, id) include (source)',
    billings_source: 'on billings (owner_id, source, id)',
  };
}
