import { Injectable } from '@nestjs/common';
import type { AccountClosing } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class ClosingsStore {
  constructor(private readonly db: Db) {}

  /** Open accounts that have it as their reseller or manager. */
  async customersOf(id: string): Promise<number> {
    const [row] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from users
        where (reseller_id = $1 or manager_id = $1) and owner_id = id and id <> $1 and closed_at is null`,
      [id],
    );
    return row!.n;
  }

  /** What would stop at a time. */
  async open(id: string, now: Date): Promise<Omit<AccountClosing, 'currency' | 'customers'>> {
    const count = (table: string, condition: string) =>
      `(select count(*)::int from ${table} where owner_id = u.id and ${condition})`;
    const [row] = await this.db.query<Omit<AccountClosing, 'currency' | 'customers'>>(
      `select u.id as "OwnerId", coalesce(b.balance, 0)::float8 as balance,
              ${count('tasks', `type = 'sendings:bulk' and state in ('scheduled', 'running', 'paused') and removed_at is null`)} as bulks,
              ${count('recurring_sendings', 'is_active')} as "recurringSendings",
              ${count('automations', 'is_active')} as automations,
              ${count('report_schedules', 'is_active')} as "reportSchedules",
              ${count('recurrent_payments', 'true')} as "recurrentPayments",
              ${count('wapi_instances', `state <> 'deleted' and not is_canceled`)} as wapi,
              ${count('webhooks', `state <> 'disabled' and not is_smpp and callback_api is null`)} as webhooks,
              p.packages, p.units,
              (select coalesce(sum(fee), 0)::float8 from monthly_minimums where owner_id = u.id and retry_at is not null) as "unpaidFees"
         from users u left join balances b on b.owner_id = u.id
         cross join lateral (
           select count(*)::int as packages, coalesce(sum(units_left), 0)::float8 as units from message_packages where owner_id = u.id and ends_at > $2) p
        where u.id = $1`,
      [id, now],
    );
    return row!;
  }
}
