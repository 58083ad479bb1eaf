import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import type { Refund } from './payment.entity.ts';

const COLUMNS = `id, payment_id as "paymentId", amount::text, status, is_external as "isExternal", shortfall::text, created_at as "createdAt"`;

/** Callers lock the payment, or have read it within their scope. */
@Injectable()
export class RefundsStore {
  constructor(private readonly db: Db) {}

  of(paymentId: string): Promise<Refund[]> {
    return this.db.query<Refund>(
      `select ${COLUMNS} from payment_refunds where payment_id = $1 order by id`,
      [paymentId],
    );
  }

  async open(paymentId: string): Promise<Refund | undefined> {
    const [row] = await this.db.query<Refund>(
      `select ${COLUMNS} from payment_refunds where payment_id = $1 and status = 'requested'`,
      [paymentId],
    );
    return row;
  }

  async hasFailed(id: string): Promise<boolean> {
    const [row] = await this.db.query(
      `select 1 from payment_refunds where id = $1 and status = 'failed'`,
      [id],
    );
    return row !== undefined;
  }

  async create(values: {
    id: string;
    paymentId: string;
    amount: string;
    status: Refund['status'];
    isExternal: boolean;
    shortfall: string;
    createdBy: string | null;
  }): Promise<void> {
    await this.db.query(
      `insert into payment_refunds (id, payment_id, amount, status, is_external, shortfall, created_by) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        values.id,
        values.paymentId,
        values.amount,
        values.status,
        values.isExternal,
        values.shortfall,
        values.createdBy,
      ],
    );
  }

  async finish(id: string, status: 'done' | 'failed', at: Date): Promise<void> {
    await this.db.query(`update payment_refunds set status = $2, updated_at = $3 where id = $1`, [
      id,
      status,
      at,
    ]);
  }
}
