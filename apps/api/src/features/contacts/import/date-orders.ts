import { dateOrderIn, dateOrderOf, parseContactDate, type DateOrder } from '@heliograph/domain';

/** Decides the order of day and month for a column of dates. */
export class DateOrders {
  /** Cells that are no date in this order. */
  readonly invalid = { day: 0, month: 0 };
  private readonly only = { day: 0, month: 0 };
  private ambiguous = 0;

  add(text: string): void {
    const [day, month] = [parseContactDate(text, 'day'), parseContactDate(text, 'month')];
    const only = dateOrderOf(text);
    if (only) this.only[only]++;
    else if (day !== month) this.ambiguous++;
    if (!day) this.invalid.day++;
    if (!month) this.invalid.month++;
  }

  /** By the cells that are a day in one order only, else the order of the country; null if it makes no difference. */
  decide(country: string): DateOrder | null {
    const { day, month } = this.only;
    if (!day && !month && !this.ambiguous) return null;
    if (day !== month) return day > month ? 'day' : 'month';
    return dateOrderIn(country);
  }
}
