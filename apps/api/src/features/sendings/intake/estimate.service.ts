import { Injectable } from '@nestjs/common';
import type { Estimate } from '@heliograph/contract';
import {
  canComputeExactly,
  exampleUnsubscribeLink,
  moneyToNumber,
  respectsOptOut,
  typeCode,
  UNSUBSCRIBE_VARIABLE,
  type Money,
  type SendingType,
  type TrafficGroup,
} from '@heliograph/domain';
import { Config } from '../../../core/config.ts';
import { Slices } from '../../../core/slices.ts';
import { ChargesService, presentReached } from '../../billings/charges.service.ts';
import { SuppressionsService } from '../../suppressions/suppressions.service.ts';
import type { MatchOf } from '../../templates/templates.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AudienceStore, type Recipient } from '../audience/audience.store.ts';
import { SKIP_REASONS, skipReason } from '../audience/skip-reason.ts';
import { addressField, ownValues, type ChainPlan, type ReadAddress } from '../plan.ts';
import { QuietService, type WaitOf } from '../quiet.service.ts';
import { PricingService, type Pricing } from '../pricing/pricing.service.ts';
import { quote, type Quote } from '../pricing/quote.ts';
import { RecipientsService, type CallRecipients } from './recipients.service.ts';
import { refused, singleRefusal, type SingleRefusal } from '../refusals.ts';

const CHUNK_SIZE = 2000;
/** Templates of one estimate that are named, those of most messages first. */
const MAX_TEMPLATES = 20;

/** Who spends, and when. */
export interface Spending {
  tokenId: string | null;
  at: Date;
}

interface Sum {
  recipients: number;
  segments: number;
  /** Rendered characters of texts with variables, by which the estimate limits its work. */
  characters: number;
  amount: Money;
  max: Money;
  skipped: Record<string, number>;
  /** Why the last message that is not sent is not. */
  unsendable: Quote['refusal'];
  operators: Map<string, OperatorSum>;
  /** By the template that the text matches; empty for accounts without templates. */
  templates: Map<string, TemplateSum>;
  link: string;
  /** Messages that wait for the end of quiet hours, and the last end. */
  quiet: { count: number; until: number; waitOf: WaitOf | null; at: Date };
}

interface TemplateSum {
  /** Null for texts that match none. */
  title: string | null;
  group: TrafficGroup;
  count: number;
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

interface Line {
  count: number;
  multiplier: number;
  price: readonly Money[];
  amount: Money;
}

/** Estimates the cost of a sending with the code that charges it: exact for first attempts, a range with fallbacks. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly charges: ChargesService,
    private readonly recipients: RecipientsService,
    private readonly audience: AudienceStore,
    private readonly pricing: PricingService,
    private readonly settings: SettingsService,
    private readonly slices: Slices,
    private readonly suppressions: SuppressionsService,
    private readonly config: Config,
    private readonly quiet: QuietService,
  ) {}

  /** Of one message. Throws the refusal that the message would get, lack of funds apart; `earlier` was found before. */
  async single(
    OwnerId: string,
    plan: ChainPlan,
    { address, assumed }: ReadAddress,
    earlier: SingleRefusal | null,
    spending: Spending,
  ): Promise<Estimate> {
    const [isBlacklisted = false] = await this.audience.areBlacklisted([{ OwnerId, address }]);
    const pricing = await this.pricing.of(OwnerId);
    const isUnsubscribed = await this.isUnsubscribed(OwnerId, plan, address, pricing);
    const recipient = { address, list: null, values: ownValues(address), isExcluded: false };
    const kind = { type: plan.attempts[0]!.type, isBulk: false };
    const sum = await this.newSum(OwnerId, kind, spending.at);
    this.add(sum, plan, { ...recipient, isBlacklisted, isUnsubscribed }, pricing);
    const { unsendable } = sum;
    const refusal = singleRefusal(earlier, { isBlacklisted, isUnsubscribed, unsendable });
    if (refusal) throw refused(refusal);
    return this.toEstimate(OwnerId, sum, 1, new Map(assumed ? [[assumed, 1]] : []), spending);
  }

  async bulk(
    OwnerId: string,
    plan: ChainPlan,
    callRecipients: CallRecipients,
    pricing: Pricing,
    spending: Spending,
  ): Promise<Estimate> {
    const { type } = plan.attempts[0]!;
    const sum = await this.newSum(OwnerId, { type, isBulk: true }, spending.at);
    if (callRecipients.invalid) sum.skipped.invalid = callRecipients.invalid;
    const audience = await this.recipients.audience(OwnerId, type, callRecipients);
    const expected =
      callRecipients.typed.length + (await this.audience.countContacts(callRecipients.lists));
    const field = addressField(type);
    const seen = new Set<string>();
    let cursor = { segment: 0, id: null as string | null, n: 0 };
    let read = 0;
    while (canComputeExactly({ recipients: read, characters: sum.characters })) {
      const chunk = await this.audience.read(audience, field, plan.names, cursor, CHUNK_SIZE);
      await this.slices.forEach(chunk.recipients, (recipient) => {
        const reason = skipReason(recipient, seen);
        if (reason) sum.skipped[reason] = (sum.skipped[reason] ?? 0) + 1;
        else {
          seen.add(recipient.address!);
          this.add(sum, plan, recipient, pricing);
        }
      });
      read += chunk.recipients.length;
      cursor = chunk.next;
      if (chunk.isEnd) return this.toEstimate(OwnerId, sum, 1, callRecipients.assumed, spending);
    }
    return this.toEstimate(OwnerId, sum, expected / read, callRecipients.assumed, spending);
  }

  private async isUnsubscribed(
    OwnerId: string,
    { attempts: [first] }: ChainPlan,
    address: string,
    pricing: Pricing,
  ): Promise<boolean> {
    const { group } = quote(first!, address, ownValues(address), [], pricing);
    if (!respectsOptOut(first!.type, { group, isBulk: false })) return false;
    const message = { OwnerId, address, type: typeCode(first!.type) };
    const [isSuppressed = false] = await this.suppressions.areSuppressed([message]);
    return isSuppressed;
  }

  private async newSum(
    OwnerId: string,
    kind: { type: SendingType; isBulk: boolean },
    at: Date,
  ): Promise<Sum> {
    const waitOf = await this.quiet.of(OwnerId, kind);
    return {
      recipients: 0,
      segments: 0,
      characters: 0,
      amount: 0n,
      max: 0n,
      skipped: {},
      unsendable: null,
      operators: new Map(),
      templates: new Map(),
      link: exampleUnsubscribeLink(this.config.publicUrl),
      quiet: { count: 0, until: 0, waitOf, at },
    };
  }

  private add(sum: Sum, plan: ChainPlan, recipient: Recipient, pricing: Pricing): void {
    const lists = recipient.list ? [recipient.list] : [];
    const [first, ...later] = plan.attempts.map((attempt) => {
      const values = attempt.hasLink
        ? { ...recipient.values, [UNSUBSCRIBE_VARIABLE]: sum.link }
        : recipient.values;
      const quoted = quote(attempt, recipient.address!, values, lists, pricing);
      if (!attempt.content.isStatic) sum.characters += quoted.text.length;
      return quoted;
    });
    const { amount, refusal } = first!;
    if (refusal || amount === null) {
      sum.unsendable = refusal;
      const reason = SKIP_REASONS[refusal ?? 'no_price'];
      sum.skipped[reason] = (sum.skipped[reason] ?? 0) + 1;
      return;
    }
    const { quiet } = sum;
    const wait = quiet.waitOf?.({ address: recipient.address!, group: first!.group }, quiet.at);
    if (wait) {
      quiet.count++;
      quiet.until = Math.max(quiet.until, wait.getTime());
    }
    const max = later.reduce((total, q) => total + (q.amount ?? 0n), amount);
    sum.recipients++;
    sum.segments += first!.segments;
    sum.amount += amount;
    sum.max += max;
    addToOperator(sum.operators, { ...first!, amount }, max);
    if (pricing.matchOf) addToTemplate(sum.templates, pricing.matchOf, plan, { ...first!, amount });
  }

  private async toEstimate(
    OwnerId: string,
    sum: Sum,
    factor: number,
    assumed: ReadonlyMap<string, number>,
    { tokenId, at }: Spending,
  ): Promise<Estimate> {
    const { balance, overdraft } = await this.charges.balanceOf(OwnerId);
    const { currency } = await this.settings.sendingRules(OwnerId);
    const scale = (amount: Money) =>
      factor === 1 ? amount : BigInt(Math.round(Number(amount) * factor));
    const whole = (n: number) => Math.round(n * factor);
    const amount = scale(sum.amount);
    const funds = await this.charges.funds([OwnerId], () => [at], false);
    const cap = funds.capOver({ OwnerId, tokenId }, amount, at);
    return {
      exact: factor === 1,
      recipients: whole(sum.recipients),
      skipped: Object.fromEntries(
        // Invalid entries are all counted; other counts may come from a sample and are scaled.
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
      enough: amount <= balance + overdraft && !cap,
      quiet: sum.quiet.count
        ? { count: whole(sum.quiet.count), until: new Date(sum.quiet.until).toISOString() }
        : null,
      cap: cap && presentReached(cap),
      templates: [...sum.templates.values()]
        .map((t) => ({ ...t, count: whole(t.count), amount: moneyToNumber(scale(t.amount)) }))
        .sort((a, b) => b.count - a.count)
        .slice(0, MAX_TEMPLATES),
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

function addToTemplate(
  templates: Map<string, TemplateSum>,
  matchOf: NonNullable<MatchOf>,
  { attempts: [first] }: ChainPlan,
  { text, mccmnc, group, amount }: Quote & { amount: Money },
): void {
  const { type, sender } = first!;
  const title = matchOf({ type, sender, text, mccmnc })?.title ?? null;
  const key = title === null ? '' : `${group} ${title}`;
  const template = templates.get(key) ?? { title, group, count: 0, amount: 0n };
  templates.set(key, template);
  template.count++;
  template.amount += amount;
}
