import { Injectable } from '@nestjs/common';
import type { Estimate } from '@heliograph/contract';
import {
  canComputeExactly,
  CoveredSum,
  CLICK_CODE,
  CAPPED_GROUP,
  EstimateSum,
  EXAMPLE_CLICK_CODE,
  exampleUnsubscribeLink,
  moneyToNumber,
  respectsOptOut,
  UNSUBSCRIBE_VARIABLE,
  type Money,
  type SendingType,
} from '@heliograph/domain';
import { Config } from '../../../core/config.ts';
import { Slices } from '../../../core/slices.ts';
import { ChargesService, presentReached, type Funds } from '../../billings/charges.service.ts';
import { SuppressionsService } from '../../suppressions/suppressions.service.ts';
import { SegmentsService } from '../../segments/segments.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AudienceStore, MAX_SOUGHT, type Recipient } from '../audience/audience.store.ts';
import { SKIP_REASONS, skipReason } from '../audience/skip-reason.ts';
import {
  addressField,
  optOutChain,
  ownValues,
  typesAfterOptOut,
  type ChainPlan,
  type ReadAddress,
  type StoredSending,
} from '../plan.ts';
import { QuietService, type WaitOf } from '../quiet.service.ts';
import { PricingService, type Pricing } from '../pricing/pricing.service.ts';
import { atVolume } from '../pricing/pay.ts';
import { quote, writtenText, type Quote } from '../pricing/quote.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { FrequencyService } from '../rules/frequency.service.ts';
import { RecipientsService, type CallRecipients } from './recipients.service.ts';
import { refused, singleRefusal, type SingleRefusal } from '../refusals.ts';

const CHUNK_SIZE = 2000;
/** Who spends, and when. */
export interface Spending extends Pick<StoredSending, 'live'> {
  tokenId: string | null;
  /** When it is charged. */
  at: Date;
  /** When it is sent, if that is later. */
  dueAt?: Date;
}

/** A first attempt that is priced when all are read, in its order. */
interface Counted {
  type: SendingType;
  quote: Quote & { amount: Money };
  /** What its fallbacks cost. */
  later: Money;
  template: string | null | undefined;
  waitsUntil: Date | null;
}

/** One estimate while it is computed. */
interface Run {
  sum: EstimateSum;
  funds: Funds;
  /** First attempts in their order, for an account with packages or volume steps. */
  counted: Counted[] | null;
  /** Rendered characters of texts with variables, by which the estimate limits its work. */
  characters: number;
  /** Why the last message that is not sent is not. */
  unsendable: Quote['refusal'];
  /** Of the recipients that are looked at, those who have had as much advertising as the frequency cap allows. */
  capped: ReadonlySet<string>;
  /** The last message would be refused for it. */
  isCapped: boolean;
  pricing: Pricing;
  link: string;
  waitOf: WaitOf | null;
  at: Date;
}

/** What of an estimate needs a permission of its own. */
export const ESTIMATE_PERMISSIONS = { balanceAfter: 'billings.find' } as const;

/** Estimates the cost of a sending with the code that charges it: exact for first attempts, a range with fallbacks. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly charges: ChargesService,
    private readonly recipients: RecipientsService,
    private readonly audience: AudienceStore,
    private readonly rules: AccountRulesService,
    private readonly pricing: PricingService,
    private readonly settings: SettingsService,
    private readonly slices: Slices,
    private readonly suppressions: SuppressionsService,
    private readonly config: Config,
    private readonly quiet: QuietService,
    private readonly frequency: FrequencyService,
    private readonly segments: SegmentsService,
  ) {}

  /** Of one message. Throws the refusal that the message would get, lack of funds apart. */
  async single(
    OwnerId: string,
    plan: ChainPlan,
    { address, assumed }: ReadAddress,
    /** Of the account, for the message and for the address. */
    rules: { refusal: SingleRefusal | null; isAllowed: boolean },
    spending: Spending,
  ): Promise<Estimate> {
    const [isBlacklisted = false] = await this.rules.areBlacklisted([{ OwnerId, address }]);
    const pricing = await this.pricing.of(OwnerId, spending);
    const isUnsubscribed = await this.isUnsubscribed(OwnerId, plan, address, pricing);
    const recipient = { address, list: null, values: ownValues(address), isExcluded: false };
    const kind = { type: plan.attempts[0]!.type, isBulk: false };
    const run = await this.begin(OwnerId, kind, pricing, spending);
    run.capped = await this.cappedAmong(OwnerId, kind, [address], spending);
    add(run, plan, { ...recipient, isBlacklisted, isUnsubscribed });
    const { unsendable, isCapped } = run;
    const found = { isBlacklisted, isUnsubscribed, unsendable, isCapped };
    const refusal = singleRefusal(rules.refusal, found);
    if (refusal) throw refused(refusal);
    if (!rules.isAllowed) throw refused('phone_not_confirmed');
    return this.toEstimate(OwnerId, run, 1, new Map(assumed ? [[assumed, 1]] : []), spending);
  }

  async bulk(
    OwnerId: string,
    plan: ChainPlan,
    callRecipients: CallRecipients,
    pricing: Pricing,
    spending: Spending,
  ): Promise<Estimate> {
    const { type } = plan.attempts[0]!;
    const kind = { type, isBulk: true };
    const run = await this.begin(OwnerId, kind, pricing, spending);
    if (callRecipients.invalid) run.sum.skip('invalid', callRecipients.invalid);
    const { resend } = callRecipients;
    for (const [reason, count] of Object.entries(resend?.skipped ?? {}))
      if (count) run.sum.skip(reason, count);
    const audience = await this.recipients.audience(OwnerId, plan, callRecipients);
    const typed = resend ? resend.count : callRecipients.typed.length;
    const field = addressField(type);
    const seen = new Set<string>();
    let cursor = { segment: 0, id: null as string | null, n: 0 };
    let read = 0;
    let sought = 0;
    // Members of segments are sought as long as in one read, and the others estimated by those; until there is one.
    while (
      canComputeExactly({ recipients: read, characters: run.characters }) &&
      (sought < MAX_SOUGHT || !read)
    ) {
      const chunk = await this.audience.read(audience, field, plan.names, cursor, CHUNK_SIZE);
      const addresses = chunk.recipients.flatMap(({ address }) => address ?? []);
      run.capped = await this.cappedAmong(OwnerId, kind, addresses, spending);
      await this.slices.forEach(chunk.recipients, (recipient) => {
        const reason = skipReason(recipient, seen);
        if (reason) return run.sum.skip(reason);
        seen.add(recipient.address!);
        add(run, plan, recipient);
      });
      read += chunk.recipients.length;
      sought += chunk.sought;
      cursor = chunk.next;
      if (chunk.isEnd) return this.toEstimate(OwnerId, run, 1, callRecipients.assumed, spending);
    }
    const expected = typed + (await this.countMembers(OwnerId, callRecipients));
    return this.toEstimate(
      OwnerId,
      run,
      Math.max(1, expected / read),
      callRecipients.assumed,
      spending,
    );
  }

  /** Contacts of the lists and of the segments. */
  private async countMembers(
    OwnerId: string,
    { lists, savedSegments }: CallRecipients,
  ): Promise<number> {
    let count = await this.audience.countContacts(lists);
    for (const { where, activity } of savedSegments.included)
      count += (await this.segments.count(OwnerId, { where, activity })).count;
    return count;
  }

  private async isUnsubscribed(
    OwnerId: string,
    plan: ChainPlan,
    address: string,
    pricing: Pricing,
  ): Promise<boolean> {
    const [first] = plan.attempts;
    const { group } = quote(first!, address, ownValues(address), [], pricing);
    if (!respectsOptOut(first!.type, { group, isBulk: false })) return false;
    const chain = optOutChain(OwnerId, [first!.type, ...typesAfterOptOut(plan)], address);
    const [isSuppressed = false] = await this.suppressions.areChainsSuppressed([chain]);
    return isSuppressed;
  }

  /** Of a test none is. */
  private async cappedAmong(
    OwnerId: string,
    kind: { type: SendingType; isBulk: boolean },
    addresses: string[],
    { at, live }: Spending,
  ): Promise<ReadonlySet<string>> {
    return live === false ? new Set() : this.frequency.reached(OwnerId, kind, addresses, at);
  }

  private async begin(
    OwnerId: string,
    kind: { type: SendingType; isBulk: boolean },
    pricing: Pricing,
    { at, dueAt, live }: Spending,
  ): Promise<Run> {
    const funds = await this.charges.funds([OwnerId], () => [at], false);
    return {
      sum: new EstimateSum(),
      funds,
      counted:
        live !== false && (funds.packagesOf(OwnerId).length || pricing.book.hasSteps) ? [] : null,
      characters: 0,
      unsendable: null,
      capped: new Set(),
      isCapped: false,
      pricing,
      link: exampleUnsubscribeLink(this.config.publicUrl),
      waitOf: await this.quiet.of(OwnerId, kind),
      at: dueAt ?? at,
    };
  }

  /**
   * Adds messages as the bill will price them: each by the units that were billed before it. Fallbacks, whose time is not known, are added
   * without volume steps. Returns what packages cover. Each message stands for `factor` messages.
   */
  private async settle(
    { sum, funds, counted }: { sum: EstimateSum; funds: Funds; counted: Counted[] },
    OwnerId: string,
    at: Date,
    factor: number,
  ) {
    const covered = new CoveredSum(funds.packagesOf(OwnerId), factor);
    await this.slices.forEach(counted, (one) => {
      const { type } = one;
      const { quote } = atVolume(funds, { OwnerId }, { ...one, at });
      const amount = quote.amount!;
      addTo(sum, { ...one, quote: { ...quote, amount } });
      const { mccmnc, multiplier: units, volume } = quote;
      if (!covered.add({ type, mccmnc, units, amount }) && volume)
        funds.volumes.count(volume, factor);
    });
    return covered.total();
  }

  private async toEstimate(
    OwnerId: string,
    { sum, funds, counted }: Run,
    factor: number,
    assumed: ReadonlyMap<string, number>,
    { tokenId, at, live }: Spending,
  ): Promise<Estimate> {
    const covered = counted && (await this.settle({ sum, funds, counted }, OwnerId, at, factor));
    const { total, ...figures } = sum.scaled(factor);
    const { balance, overdraft } = await this.charges.balanceOf(OwnerId);
    const { currency } = await this.settings.sendingRules(OwnerId);
    const toPay = total - (covered?.amount ?? 0n);
    const cap = funds.capOver({ OwnerId, tokenId }, { total, toPay }, at);
    return {
      ...figures,
      ...(covered?.count && {
        covered: { ...covered, amount: moneyToNumber(covered.amount), toPay: moneyToNumber(toPay) },
      }),
      assumed: [...assumed].map(([country, count]) => ({ country, count })),
      currency,
      balanceAfter: moneyToNumber(balance - toPay),
      enough: live === false || (toPay <= balance + overdraft && !cap),
      cap: live === false ? null : cap && presentReached(cap),
    };
  }
}

function add(run: Run, plan: ChainPlan, recipient: Recipient): void {
  const { sum, pricing, link, waitOf, at } = run;
  const lists = recipient.list ? [recipient.list] : [];
  const address = recipient.address!;
  const [first, ...later] = plan.attempts.map((attempt) => {
    const values =
      attempt.hasLink || attempt.hasClickCodes
        ? { ...recipient.values, [UNSUBSCRIBE_VARIABLE]: link, [CLICK_CODE]: EXAMPLE_CLICK_CODE }
        : recipient.values;
    const quoted = quote(attempt, address, values, lists, pricing);
    if (!attempt.content.isStatic) run.characters += quoted.text.length;
    return quoted;
  });
  const { amount, refusal, group, mccmnc } = first!;
  if (refusal || amount === null) {
    run.unsendable = refusal;
    return sum.skip(SKIP_REASONS[refusal ?? 'no_price']);
  }
  run.isCapped = group === CAPPED_GROUP && run.capped.has(address);
  if (run.isCapped) return sum.skip('frequencyCap');
  const { type, sender, hasClickCodes } = plan.attempts[0]!;
  const message = { type, sender, text: first!.text, mccmnc };
  const text = writtenText(pricing, message, hasClickCodes ? EXAMPLE_CLICK_CODE : null);
  const counted: Counted = {
    type,
    // The text is not kept: there may be many.
    quote: { ...first!, amount, text: '' },
    later: later.reduce((total, q) => total + (q.amount ?? 0n), 0n),
    template: pricing.matchOf ? (pricing.matchOf({ ...message, text })?.title ?? null) : undefined,
    waitsUntil: waitOf?.({ address, group }, at) ?? null,
  };
  if (run.counted) run.counted.push(counted);
  else addTo(sum, counted);
}

const addTo = (sum: EstimateSum, { quote, later, ...chain }: Counted) =>
  sum.add(quote, { ...chain, max: quote.amount + later });
