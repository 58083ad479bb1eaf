import { Injectable } from '@nestjs/common';
import type { SandboxPayment, SandboxStore } from '@heliograph/simulators';
import { Db } from '../../core/db/db.ts';

interface Row {
  payment: SandboxPayment;
}

/** Payments of the built-in sandbox. They belong to no account: only the acquirer interface and the payer reach them. */
@Injectable()
export class SandboxPaymentsStore implements SandboxStore {
  constructor(private readonly db: Db) {}

  async byId(id: string): Promise<SandboxPayment | undefined> {
    const [row] = await this.db.query<Row>(`select payment from sandbox_payments where id = $1`, [
      id,
    ]);
    return row?.payment;
  }

  async byReference(reference: string): Promise<SandboxPayment | undefined> {
    const [row] = await this.db.query<Row>(
      `select payment from sandbox_payments where reference = $1`,
      [reference],
    );
    return row?.payment;
  }

  async add(payment: SandboxPayment): Promise<boolean> {
    const { id, reference } = payment;
    const added = await this.db.execute(
      `insert into sandbox_payments (id, reference, payment) values ($1, $2, $3) on conflict (reference) do nothing`,
      [id, reference, payment],
    );
    return added > 0;
  }

  change: SandboxStore['change'] = (id, change) =>
    this.db.transaction(async () => {
      const [row] = await this.db.query<Row>(
        `select payment from sandbox_payments where id = $1 for update`,
        [id],
      );
      if (!row) return undefined;
      const before = row.payment;
      const after = change(before);
      if (after && after !== before)
        await this.db.query(`update sandbox_payments set payment = $2 where id = $1`, [id, after]);
      return { before, after };
    });
}
