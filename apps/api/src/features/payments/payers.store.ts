import { Injectable } from '@nestjs/common';
import type { Order } from '../../acquirers/acquirer.ts';
import { Db } from '../../core/db/db.ts';

/** Where receipts of an account go. */
@Injectable()
export class PayersStore {
  constructor(private readonly db: Db) {}

  async contactOf(OwnerId: string): Promise<Order['contact']> {
    const [row] = await this.db.query<{ email: string | null; phone: string | null }>(
      `select data->>'email' as email, data->>'phone' as phone from users where id = $1`,
      [OwnerId],
    );
    return { email: row?.email ?? undefined, phone: row?.phone ?? undefined };
  }
}
