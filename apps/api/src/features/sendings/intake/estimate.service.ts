import { Injectable } from '@nestjs/common';
import type { Estimate } from '@heliograph/contract';
import { canComputeExactly, moneyToNumber, parseMoney, type Money } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { Slices } from '../../../core/slices.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AudienceStore, type Recipient } from '../audience/audience.store.ts';
import { skipReason } from '../audience/expand.service.ts';
import { addressField, ownValues, type ChainPlan, type ReadAddress } from '../plan.ts';
import { PricingService, type Pricing } from '../pricing/pricing.service.ts';
import { quote, type Quote } from '../pricing/quote.ts';
import { RecipientsService, type Asked } from './recipients.service.ts';
import { refused, singleRefusal, type SingleRefusal } from '../refusals.ts';

const CHUNK = 2000;

interface Sum {
  recipients: number;
  segments: number;
  /** Of texts with variables. */
  characters: number;
  amount: Money;
  max: Money;
  skipped: Record<string, number>;
  operators: Map<string, OperatorSum>;
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

interface Line {
  count: number;
  multiplier: number;
  price: readonly Money[];
  amount: Money;
}

/** What a sending would cost, by the code that bills it: exact for first attempts, a range with fallbacks. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly db: Db,
    private readonly recipients: RecipientsService,
    private readonly audience: AudienceStore,
    private readonly pricing: PricingService,
    private readonly settings: SettingsService,
    private readonly slices: Slices,
  ) {}

  /** Of one message. Throws what it would be refused with, money apart; `found` is what was found already. */
  async single(
    OwnerId: string,
    plan: ChainPlan,
    { address, assumed }: ReadAddress,
    found: SingleRefusal | null,
  ): Promise<Estimate> {
    const [isBlacklisted = false] = await this.audience.areBlacklisted([{ OwnerId, address }]);
    const recipient = { address, list: null, values: ownValues(address), isExcluded: false };
    const sum = newSum();
    this.add(sum, plan, { ...recipient, isBlacklisted }, await this.pricing.of(OwnerId));
    const amount = sum.recipients ? sum.amount : null;
    const refusal = singleRefusal(found, { isBlacklisted, amount });
    if (refusal) throw refused(refusal);
    return this.answer(OwnerId, sum, 1, new Map(assumed ? [[assumed, 1]] : []));
  }

  async bulk(OwnerId: string, plan: ChainPlan, asked: Asked, pricing: Pricing): Promise<Estimate> {
    const sum = newSum();
    if (asked.invalid) sum.skipped.invalid = asked.invalid;
    const audience = await this.recipients.audience(OwnerId, asked);
    const expected = asked.typed.length + (await this.audience.countOf(asked.lists));
    const field = addressField(plan.attempts[0]!.type);
    const seen = new Set<string>();
    let place = { segment: 0, id: null as string | null, n: 0 };
    let read = 0;
    while (canComputeExactly({ recipients: read, characters: sum.characters })) {
      const chunk = await this.audience.read(audience, field, plan.names, place, CHUNK);
      await this.slices.forEach(chunk.recipients, (recipient) => {
        const reason = skipReason(recipient, seen);
        if (reason) sum.skipped[reason] = (sum.skipped[reason] ?? 0) + 1;
        else {
          seen.add(recipient.address!);
          this.add(sum, plan, recipient, pricing);
        }
      });
      read += chunk.recipients.length;
      place = chunk.next;
      if (chunk.isEnd) return this.answer(OwnerId, sum, 1, asked.assumed);
    }
    return this.answer(OwnerId, sum, expected / read, asked.assumed);
  }

  private add(sum: Sum, plan: ChainPlan, recipient: Recipient, pricing: Pricing): void {
    const lists = recipient.list ? [recipient.list] : [];
    const [first, ...later] = plan.attempts.map((attempt) => {
      const one = quote(attempt, recipient.address!, recipient.values, lists, pricing);
      if (attempt.text && !attempt.text.isStatic) sum.characters += one.text.length;
      return one;
    });
    if (first!.amount === null) {
      sum.skipped.noPrice = (sum.skipped.noPrice ?? 0) + 1;
      return;
    }
    const amount = first!.amount;
    const max = later.reduce((total, q) => total + (q.amount ?? 0n), amount);
    sum.recipients++;
    sum.segments += first!.segments;
    sum.amount += amount;
    sum.max += max;
    addToOperator(sum.operators, { ...first!, amount }, max);
  }

  private async answer(
    OwnerId: string,
    sum: Sum,
    factor: number,
    assumed: ReadonlyMap<string, number>,
  ): Promise<Estimate> {
    const [account] = await this.db.query<{ balance: string; overdraft: string }>(
      `select balance, overdraft from balances where owner_id = $1`,
      [OwnerId],
    );
    const { currency } = await this.settings.sendingRules(OwnerId);
    const scale = (amount: Money) =>
      factor === 1 ? amount : BigInt(Math.round(Number(amount) * factor));
    const whole = (n: number) => Math.round(n * factor);
    const balance = parseMoney(account?.balance ?? '0');
    const available = balance + parseMoney(account?.overdraft ?? '0');
    const amount = scale(sum.amount);
    return {
      exact: factor === 1,
      recipients: whole(sum.recipients),
      skipped: Object.fromEntries(
        // What was typed is counted whole; the rest may be a sample.
        Object.entries(sum.skipped).map(([reason, n]) => [
          reason,
          reason === 'invalid' ? n : whole(n),
        ]),
      ),
      assumed: [...assumed].map(([country, count]) => ({ country, count })),
      segments: whole(sum.segments),
      amount: moneyToNumber(amount),
      max: moneyToNumber(scale(sum.max)),
      currency,
      balanceAfter: moneyToNumber(balance - amount),
      enough: amount <= available,
      operators: [...sum.operators.values()]
        .map(({ lines, ...o }) => ({
          ...o,
          count: whole(o.count),
          amount: moneyToNumber(scale(o.amount)),
          max: moneyToNumber(scale(o.max)),
          lines: [...lines.values()]
            .map(({ price, ...line }) => ({
              ...line,
              count: whole(line.count),
              price: price.length === 1 ? moneyToNumber(price[0]!) : price.map(moneyToNumber),
              amount: moneyToNumber(scale(line.amount)),
            }))
            .sort((a, b) => b.count - a.count),
        }))
        .sort((a, b) => b.count - a.count),
    };
  }
}

function addToOperator(
  operators: Map<string, OperatorSum>,
  { mccmnc, operator: name, multiplier, price, amount }: Quote & { amount: Money },
  max: Money,
): void {
  const operator = operators.get(mccmnc ?? '') ?? {
    mccmnc,
    name,
    count: 0,
    amount: 0n,
    max: 0n,
    lines: new Map<string, Line>(),
  };
  operators.set(mccmnc ?? '', operator);
  operator.count++;
  operator.amount += amount;
  operator.max += max;
  const key = `${multiplier} ${price.join(' ')}`;
  const line = operator.lines.get(key) ?? { count: 0, multiplier, price, amount: 0n };
  operator.lines.set(key, line);
  line.count++;
  line.amount += amount;
}

function newSum(): Sum {
  return {
    recipients: 0,
    segments: 0,
    characters: 0,
    amount: 0n,
    max: 0n,
    skipped: {},
    operators: new Map(),
  };
}
