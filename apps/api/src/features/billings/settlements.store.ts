import { Injectable } from '@nestjs/common';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

/** What settlements of closed accounts did to balances. Each row is the origin of a ledger entry. */
@Injectable()
export class SettlementsStore {
  constructor(private readonly db: Db) {}

  /** `OwnerId` has the balance that changed: the closed account, or the reseller that closes it. Returns the id. */
  async add(row: { OwnerId: string; AccountId: string; amount: Money }): Promise<string> {
    const [added] = await this.db.query<{ id: string }>(
      `insert into account_settlements (owner_id, account_id, amount) values ($1, $2, $3) returning id`,
      [row.OwnerId, row.AccountId, formatMoney(row.amount)],
    );
    return added!.id;
  }

  /** What settlements of an account have changed so far, at all balances together. Negative: it belongs to nobody any more. */
  async net(AccountId: string): Promise<Money> {
    const [row] = await this.db.query<{ sum: string }>(
      `select coalesce(sum(amount), 0)::text as sum from account_settlements where account_id = $1`,
      [AccountId],
    );
    return parseMoney(row!.sum);
  }
}
