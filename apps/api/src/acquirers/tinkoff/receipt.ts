import { documentDay, vatRate, type Money } from '@heliograph/domain';
import type { Order, TinkoffSettings } from '../acquirer.ts';
import { toMinor } from '../amounts.ts';

const MAX_NAME_LENGTH = 128;
/** The sum of an advance contains the tax: 20/120, not 20 %. */
const OF_ADVANCE: Record<string, string> = { vat5: 'vat105', vat7: 'vat107', vat10: 'vat110' };

interface Sale extends Pick<Order, 'contact' | 'now'> {
  amount: Money;
  name: string;
}

/** The receipt of an advance payment by Federal Law 54-FZ; undefined if the terminal sends none. */
export function receiptOf(receipt: TinkoffSettings['receipt'], sale: Sale): object | undefined {
  if (!receipt) return undefined;
  const { email, phone } = sale.contact;
  const amount = toMinor(sale.amount, 2);
  return {
    ...(email ? { Email: email } : { Phone: phone }),
    Taxation: receipt.taxation,
    Items: [
      {
        Name: sale.name.slice(0, MAX_NAME_LENGTH),
        Price: amount,
        Quantity: 1,
        Amount: amount,
        PaymentMethod: 'advance',
        PaymentObject: 'payment',
        Tax: taxOf(receipt.tax, sale.now),
      },
    ],
  };
}

/** `general` is the general rate of the day, which begins in Moscow. */
function taxOf(tax: string, now: Date): string {
  if (tax === 'general') return `vat1${vatRate('general', documentDay(now))}`;
  return OF_ADVANCE[tax] ?? tax;
}
