import {
  findOperator,
  formatCost,
  formatMoney,
  parseMoney,
  purchasedUnits,
  typeOf,
  type Money,
  type OperatorTable,
  type PurchaseBook,
} from '@heliograph/domain';
import type { DueRow, LeasedBatch } from './dispatch.store.ts';

/** What messages of one account, batch and network cost at one price. Those that the carrier has rejected cost nothing. */
export interface SubmitCost {
  batchId: string;
  OwnerId: string;
  channel: string;
  type: number;
  mccmnc: string | null;
  messages: number;
  /** What was charged for them, and for those that were rejected, whose refund is subtracted from it. */
  amount: string;
  /** What the carrier bills, and the price of one unit; null when it is not known. */
  units: number;
  price: string | null;
  currency: string | null;
}

/** Of messages that a carrier has answered, by batch. */
export function costsOf(
  answered: { batch: LeasedBatch; rows: DueRow[] }[],
  isAccepted: (row: DueRow) => boolean,
  book: PurchaseBook,
  operators: OperatorTable,
  at: Date,
): SubmitCost[] {
  const costs = new Map<string, SubmitCost & { sum: Money }>();
  for (const { batch, rows } of answered) {
    const type = typeOf(batch.type);
    for (const row of rows) {
      const { OwnerId, phone, amount } = row;
      const operator = phone.startsWith('+') ? findOperator(operators, phone) : null;
      const mccmnc = operator?.mccmnc ?? null;
      const found = book.price(type, { phone, mccmnc, country: operator?.country }, at);
      const price = found && formatCost(found.price);
      const key = `${batch.id} ${OwnerId} ${mccmnc} ${price}`;
      const messages = isAccepted(row) ? 1 : 0;
      const units = messages * purchasedUnits(type, row.segments);
      const cost = costs.get(key);
      if (cost) {
        cost.messages += messages;
        cost.units += units;
        cost.sum += parseMoney(amount);
      } else
        costs.set(key, {
          batchId: batch.id,
          OwnerId,
          channel: batch.channel,
          type: batch.type,
          mccmnc,
          messages,
          amount,
          units,
          price,
          currency: found?.currency ?? null,
          sum: parseMoney(amount),
        });
    }
  }
  return [...costs.values()].map(({ sum, ...cost }) => ({ ...cost, amount: formatMoney(sum) }));
}
