import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class FreeCreditsStore {
  constructor(private readonly db: Db) {}

  /** False when an account with this phone has already received it. */
  async take(phone: string, OwnerId: string, amount: number): Promise<boolean> {
    const taken = await this.db.execute(
      `insert into free_credits (phone, owner_id, amount) values ($1, $2, $3) on conflict do nothing`,
      [phone, OwnerId, amount],
    );
    return taken > 0;
  }

  async isOfAnother(OwnerId: string, phone: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from free_credits f join free_credits other on other.phone = $2 and other.owner_id <> f.owner_id
        where f.owner_id = $1 and exists (select 1 from users u where u.id = $1 and u.is_test)`,
      [OwnerId, phone],
    );
    return found.length > 0;
  }

  async bind(OwnerId: string, phone: string): Promise<void> {
    await this.db.query(
      `update free_credits set phone = $2
        where owner_id = $1 and phone <> $2 and exists (select 1 from users u where u.id = $1 and u.is_test)`,
      [OwnerId, phone],
    );
  }
}
