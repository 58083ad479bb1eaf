import {
  findOperator,
  formatCost,
  formatMoney,
  parseMoney,
  purchasedUnits,
  SECONDS_OF_PRICE,
  typeOf,
  type Money,
  type OperatorTable,
  type PurchaseBook,
} from '@heliograph/domain';
import type { BilledCall } from '../call-costs.service.ts';
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
  /** What the carrier bills, and the price of `priceUnits` of it; null when it is not known. Of calls by their length `BilledCall` has the seconds. */
  units: number;
  price: string | null;
  priceUnits: number;
  currency: string | null;
}

/** Of messages that a carrier has answered, by batch, and the accepted calls among them that it bills by their length. */
export function costsOf(
  answered: { batch: LeasedBatch; rows: DueRow[] }[],
  isAccepted: (row: DueRow) => boolean,
  book: PurchaseBook,
  operators: OperatorTable,
  at: Date,
): { costs: SubmitCost[]; calls: BilledCall[] } {
  const calls: BilledCall[] = [];
  const costs = new Map<string, SubmitCost & { sum: Money }>();
  for (const { batch, rows } of answered) {
    const type = typeOf(batch.type);
    for (const row of rows) {
      const { OwnerId, phone, amount } = row;
      const operator = phone.startsWith('+') ? findOperator(operators, phone) : null;
      const mccmnc = operator?.mccmnc ?? null;
      const found = book.price(type, { phone, mccmnc, country: operator?.country }, at);
      const price = found && formatCost(found.price);
      const intervals = found?.byLength;
      const priceUnits = intervals ? SECONDS_OF_PRICE : 1;
      const key = `${batch.id} ${OwnerId} ${mccmnc} ${price} ${priceUnits}`;
      const messages = isAccepted(row) ? 1 : 0;
      const units = intervals ? 0 : messages * purchasedUnits(type, row.segments);
      if (intervals && messages)
        calls.push({ id: row.id, mccmnc, price: price!, currency: found.currency, ...intervals });
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
          priceUnits,
          currency: found?.currency ?? null,
          sum: parseMoney(amount),
        });
    }
  }
  return {
    costs: [...costs.values()].map(({ sum, ...cost }) => ({ ...cost, amount: formatMoney(sum) })),
    calls,
  };
}
