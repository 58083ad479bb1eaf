import { moneyToNumber, type Money } from './money.ts';
import type { CallIntervals } from './tariff.ts';
import type { TrafficGroup } from './traffic.ts';

/** Templates that are named, those of most messages first. */
const MAX_TEMPLATES = 20;

/** A first attempt with its price. */
export interface EstimatedMessage {
  mccmnc: string | null;
  operator: string | null;
  multiplier: number;
  price: readonly Money[];
  amount: Money;
  segments: number;
  group: TrafficGroup;
  /** Of a call that is charged by its length: the amount is what it costs at most. */
  byLength?: CallIntervals;
}

/** What else counts for a message. */
interface EstimatedChain {
  /** Price of all attempts. */
  max: Money;
  /** The template that its text matches, null for none; undefined for accounts without templates. */
  template: string | null | undefined;
  /** End of the quiet hours that it waits for. */
  waitsUntil: Date | null;
}

interface Line {
  count: number;
  multiplier: number;
  price: readonly Money[];
  amount: Money;
}

interface OperatorSum {
  mccmnc: string | null;
  name: string | null;
  count: number;
  amount: Money;
  max: Money;
  /** By price and multiplier. */
  lines: Map<string, Line>;
}

interface TemplateSum {
  title: string | null;
  group: TrafficGroup;
  count: number;
  amount: Money;
}

/** The sums of an estimate: of all messages, or of a sample that is scaled at the end. */
export class EstimateSum {
  private recipients = 0;
  private segments = 0;
  private amount: Money = 0n;
  private max: Money = 0n;
  private isByLength = false;
  private waiting = 0;
  private waitsUntil = 0;
  private readonly skipped = new Map<string, number>();
  private readonly operators = new Map<string, OperatorSum>();
  private readonly templates = new Map<string, TemplateSum>();

  /** Counts recipients who get no message. */
  skip(reason: string, count = 1): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }

  add(message: EstimatedMessage, { max, template, waitsUntil }: EstimatedChain): void {
    this.isByLength ||= !!message.byLength;
    this.recipients++;
    this.segments += message.segments;
    this.amount += message.amount;
    this.max += max;
    if (waitsUntil) {
      this.waiting++;
      this.waitsUntil = Math.max(this.waitsUntil, waitsUntil.getTime());
    }
    this.addToOperator(message, max);
    if (template !== undefined) this.addToTemplate(message, template);
  }

  /** Times `factor`, by which the recipients are more than those that were computed. */
  scaled(factor: number) {
    const scale = (amount: Money) =>
      factor === 1 ? amount : BigInt(Math.round(Number(amount) * factor));
    const money = (amount: Money) => moneyToNumber(scale(amount));
    const whole = (n: number) => Math.round(n * factor);
    const byCount = (a: { count: number }, b: { count: number }) => b.count - a.count;
    return {
      /** Exact, for the comparison with the balance. */
      total: scale(this.amount),
      exact: factor === 1,
      recipients: whole(this.recipients),
      skipped: Object.fromEntries(
        // Invalid entries are all counted; other counts may come from a sample and are scaled.
        [...this.skipped].map(([reason, n]) => [reason, reason === 'invalid' ? n : whole(n)]),
      ),
      segments: whole(this.segments),
      amount: money(this.amount),
      max: money(this.max),
      ...(this.isByLength && { byLength: true }),
      quiet: this.waiting
        ? { count: whole(this.waiting), until: new Date(this.waitsUntil).toISOString() }
        : null,
      templates: [...this.templates.values()]
        .map((t) => ({ ...t, count: whole(t.count), amount: money(t.amount) }))
        .sort(byCount)
        .slice(0, MAX_TEMPLATES),
      operators: [...this.operators.values()]
        .map(({ lines, ...o }) => ({
          ...o,
          count: whole(o.count),
          amount: money(o.amount),
          max: money(o.max),
          lines: [...lines.values()]
            .map(({ price, ...line }) => ({
              ...line,
              count: whole(line.count),
              price: price.length === 1 ? moneyToNumber(price[0]!) : price.map(moneyToNumber),
              amount: money(line.amount),
            }))
            .sort(byCount),
        }))
        .sort(byCount),
    };
  }

  private addToOperator(message: EstimatedMessage, max: Money): void {
    const { mccmnc, operator: name, multiplier, price, amount } = message;
    let operator = this.operators.get(mccmnc ?? '');
    if (!operator) {
      operator = { mccmnc, name, count: 0, amount: 0n, max: 0n, lines: new Map() };
      this.operators.set(mccmnc ?? '', operator);
    }
    operator.count++;
    operator.amount += amount;
    operator.max += max;
    const key = `${multiplier} ${price.join(' ')}`;
    const line = operator.lines.get(key) ?? { count: 0, multiplier, price, amount: 0n };
    operator.lines.set(key, line);
    line.count++;
    line.amount += amount;
  }

  private addToTemplate({ group, amount }: EstimatedMessage, title: string | null): void {
    const key = title === null ? '' : `${group} ${title}`;
    const template = this.templates.get(key) ?? { title, group, count: 0, amount: 0n };
    this.templates.set(key, template);
    template.count++;
    template.amount += amount;
  }
}
