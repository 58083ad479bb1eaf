import { Injectable } from '@nestjs/common';
import { isRestricted, LOOKUP_WAIT_SECONDS, type TrafficKind } from '@heliograph/domain';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Events } from '../../core/events/events.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { uuidTime, uuidv7 } from '../../core/uuid.ts';
import type { Funds } from '../billings/charges.service.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { AwaitedLookupsStore } from './awaited-lookups.store.ts';
import type { Inserted, NewBatch, NewSending } from './insert.store.ts';
import { chainPlan, ownValues } from './plan.ts';
import { pay } from './pricing/pay.ts';
import { PricingService } from './pricing/pricing.service.ts';
import { quote, quoteData } from './pricing/quote.ts';
import { PRIORITIES, URGENCIES, type Urgency } from './priorities.ts';
import { routingKey, type Routing } from './routing.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { RoutingService } from './rules/routing.service.ts';

const CLEANUP_BATCH_SIZE = 2000;
/** A look-up ends before, so that nothing is left to delete. */
const KEPT_SECONDS = 2 * 24 * 3600;

/** A message whose way depends on the network of its number. */
export interface Asking {
  id: string;
  OwnerId: string;
  phone: string;
  sender: string;
  tokenId: string | null;
  kind: Exclude<TrafficKind, 'code'>;
  /** When it is not submitted any more. */
  validUntil: Date | null;
}

interface NewLookup {
  row: NewSending;
  routing: Routing;
  until: Date;
  urgency: Urgency;
}

/** Look-ups that messages of one transaction wait for. */
export interface Claimed {
  /** By message; also those of other transactions. Until when it waits. */
  of: Map<string, { lookupId: string; until: Date }>;
  /** Those that this transaction inserts, by their ids. */
  added: Map<string, NewLookup>;
}

const keyOf = ({ OwnerId, phone }: Pick<Asking, 'OwnerId' | 'phone'>) => `${OwnerId} ${phone}`;
const untilOf = ({ kind }: Asking, now: Date) => secondsAfter(now, LOOKUP_WAIT_SECONDS[kind]);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/**
 * Looks numbers up before messages to them are routed, for accounts that want it (`lookupFirst`). The message waits as any other does that is
 * due later; the look-up is a message of its own, inserted and charged in the transaction of the messages that wait for it. Where it
 * cannot be made, they go without.
 */
@Injectable()
export class AwaitedLookupsService {
  constructor(
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly settings: SettingsService,
    private readonly rules: AccountRulesService,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly channels: ChannelsService,
    private readonly store: AwaitedLookupsStore,
  ) {}

  /** Whether messages of the account may wait for look-ups. */
  async isWanted(OwnerId: string): Promise<boolean> {
    return (await this.settings.sendingRules(OwnerId)).lookupFirst;
  }

  /** Finds the look-ups for messages, or adds them. Before the funds are read, as balances are locked last. */
  async claim(messages: Asking[], now: Date): Promise<Claimed> {
    const claimed: Claimed = { of: new Map(), added: new Map() };
    const asking = messages.filter((one) => !one.validUntil || one.validUntil > untilOf(one, now));
    const wanted = new Map<string, NewLookup>();
    for (const own of Map.groupBy(asking, ({ OwnerId, sender }) => `${OwnerId} ${sender}`).values())
      for (const lookup of await this.lookupsFor(own, now)) {
        const key = keyOf(lookup.row);
        if (!wanted.has(key)) wanted.set(key, lookup);
      }
    if (!wanted.size) return claimed;
    const found = await this.store.claim(
      [...wanted.values()].map(({ row: { id: lookupId, OwnerId, phone }, until }) => ({
        OwnerId,
        phone,
        lookupId,
        until,
      })),
    );
    const byNumber = new Map(found.map((one) => [keyOf(one), one]));
    for (const lookup of wanted.values())
      if (byNumber.get(keyOf(lookup.row))?.lookupId === lookup.row.id)
        claimed.added.set(lookup.row.id, lookup);
    for (const one of asking) {
      const lookup = byNumber.get(keyOf(one));
      // One that has not been answered in time is not waited for again.
      if (!lookup || lookup.until <= now) continue;
      const { lookupId } = lookup;
      claimed.of.set(one.id, { lookupId, until: earlier(lookup.until, untilOf(one, now)) });
    }
    return claimed;
  }

  /** Pays new look-ups, after the messages, for those of these that are sent. Of a look-up that is not paid nothing is left. */
  async pay({ of, added }: Claimed, sent: { id: string }[], funds: Funds): Promise<void> {
    if (!added.size) return;
    // A look-up that exceeds a cap refuses no message, so nobody is told.
    const reached = new Set(funds.reached);
    const wanted = new Set(sent.map(({ id }) => of.get(id)?.lookupId));
    const unpaid = new Set<string>();
    for (const [id, lookup] of added) {
      const { row } = lookup;
      const spender = { OwnerId: row.OwnerId, tokenId: row.tokenId };
      const message = { type: 'hlr', quote: row.quote, at: uuidTime(id) } as const;
      const paid = wanted.has(id) ? pay(funds, spender, message) : null;
      if (paid && !paid.refusal) added.set(id, { ...lookup, row: { ...row, quote: paid.quote } });
      else unpaid.add(id);
    }
    for (const cap of funds.reached) if (!reached.has(cap)) funds.reached.delete(cap);
    if (!unpaid.size) return;
    for (const id of unpaid) added.delete(id);
    for (const [id, { lookupId }] of of) if (unpaid.has(lookupId)) of.delete(id);
    await this.store.remove([...unpaid]);
  }

  /** The batches of the new look-ups. What is not submitted when nothing waits for it any more is refunded. */
  async batches({ added }: Claimed, now: Date): Promise<NewBatch[]> {
    const ways = Map.groupBy(
      added.values(),
      ({ row, routing, urgency }) => `${row.OwnerId} ${urgency} ${routingKey(routing)}`,
    );
    const batches: NewBatch[] = [];
    for (const own of ways.values()) {
      const [{ row, routing, urgency, until }] = own as [NewLookup];
      const facts = await this.channels.factsOf(routing.channel);
      const messages = facts?.maxBatch ?? own.length;
      for (let start = 0; start < own.length; start += messages)
        batches.push({
          taskId: null,
          OwnerId: row.OwnerId,
          routing,
          type: 'hlr',
          attempt: 0,
          priority: PRIORITIES.single,
          urgency,
          dueAt: now,
          validUntil: until,
          rows: own.slice(start, start + messages).map((one) => one.row),
        });
    }
    return batches;
  }

  /** Has the stored messages wait, in the transaction that has inserted them and the look-ups. */
  async wait({ of, added }: Claimed, batches: NewBatch[], created: Inserted[]): Promise<void> {
    const stored = new Set(created.map(({ id }) => id));
    const waits = batches.flatMap(({ dueAfterLookups: dueAt, dueAt: until, rows }) =>
      rows.flatMap(({ id }) => {
        const lookup = dueAt && stored.has(id) && of.get(id);
        return lookup ? [{ sendingId: id, lookupId: lookup.lookupId, dueAt, until }] : [];
      }),
    );
    if (waits.length) await this.store.addWaits(waits);
    for (const { row } of added.values())
      this.events.changed('sendings', 'created', row.OwnerId, row.id);
  }

  /** Releases what waits for look-ups that have ended, in the transaction of their reports. */
  async end(lookupIds: string[]): Promise<void> {
    if (lookupIds.length && (await this.store.end(lookupIds)))
      this.jobs.enqueue('sendings.dispatch', {});
  }

  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = secondsAfter(this.clock.now(), -KEPT_SECONDS);
    return (await this.store.deleteBefore(before, CLEANUP_BATCH_SIZE)) === CLEANUP_BATCH_SIZE;
  }

  /** For messages of one account and sender name; none if the account may not, has no price, or no channel works. */
  private async lookupsFor(asking: Asking[], now: Date): Promise<NewLookup[]> {
    const [{ OwnerId, sender }] = asking as [Asking];
    if (isRestricted(await this.settings.sendingRules(OwnerId))) return [];
    if (await this.rules.refusalOf(OwnerId, [{ type: 'hlr', sender }])) return [];
    const phones = asking.map(({ phone }) => phone);
    const routeOf = await this.routing.forLookups(OwnerId, sender, () => phones);
    const pricing = await this.pricing.of(OwnerId);
    const { attempts } = chainPlan({ type: 'hlr', payload: { sender }, fallbacks: [] });
    const lookups: NewLookup[] = [];
    for (const one of asking) {
      const { phone, tokenId, kind } = one;
      const id = uuidv7(now);
      const routing = routeOf({ id, address: phone });
      const priced = quote(attempts[0]!, phone, ownValues(phone), [], pricing);
      if (!routing || priced.refusal) continue;
      const row: NewSending = {
        id,
        OwnerId,
        groupId: null,
        chainId: null,
        isLast: true,
        sender,
        phone,
        quote: priced,
        vars: null,
        data: { payload: { sender }, isAwaited: true, ...quoteData(priced) },
        tokenId,
      };
      const urgency = kind === 'bulk' ? URGENCIES.low : URGENCIES.normal;
      lookups.push({ row, routing, until: untilOf(one, now), urgency });
    }
    return lookups;
  }
}
