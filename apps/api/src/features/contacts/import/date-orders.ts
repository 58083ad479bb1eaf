import { dateOrderIn, dateOrderOf, parseContactDate, type DateOrder } from '@heliograph/domain';

/** Decides the order of day and month for the columns of dates in a file, which one program has written. */
export class DateOrders {
  /** Cells that are no date, by field, in each order. */
  private readonly invalid = new Map<string, Record<DateOrder, number>>();
  private readonly only = { day: 0, month: 0 };
  private ambiguous = 0;

  add(text: string, field: string): void {
    const [day, month] = [parseContactDate(text, 'day'), parseContactDate(text, 'month')];
    const only = dateOrderOf(text);
    if (only) this.only[only]++;
    else if (day !== month) this.ambiguous++;
    if (day && month) return;
    const invalid = this.invalid.get(field) ?? { day: 0, month: 0 };
    this.invalid.set(field, invalid);
    if (!day) invalid.day++;
    if (!month) invalid.month++;
  }

  /** Cells that are no date in this order, by field; only fields with any. */
  invalidIn(order: DateOrder): Record<string, number> {
    const counts = [...this.invalid].map(([field, invalid]) => [field, invalid[order]] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** By the cells that are a day in one order only, else the order of the country; null if it makes no difference. */
  decide(country: string): DateOrder | null {
    const { day, month } = this.only;
    if (!day && !month && !this.ambiguous) return null;
    if (day !== month) return day > month ? 'day' : 'month';
    return dateOrderIn(country);
  }
}
