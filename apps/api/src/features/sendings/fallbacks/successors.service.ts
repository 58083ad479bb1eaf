import { Injectable } from '@nestjs/common';
import {
  respectsOptOut,
  typeCode,
  UNSUBSCRIBE_VARIABLE,
  validUntilOf,
  type SendingErrorCode,
  type TrafficKind,
} from '@heliograph/domain';
import { uuidv7 } from '../../../core/uuid.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { FrequencyService } from '../rules/frequency.service.ts';
import { ChargesService, type Funds } from '../../billings/charges.service.ts';
import { ALL_TYPES, SuppressionsService } from '../../suppressions/suppressions.service.ts';
import { UnsubscribeLinksService } from '../../suppressions/unsubscribe-links.service.ts';
import type { NewBatch, NewSending } from '../insert.store.ts';
import { addressField, addressOf, LIST_VARIABLE, ownValues, type AttemptPlan } from '../plan.ts';
import { NO_ROUTE, routingKey, type Routing } from '../routing.ts';
import { RoutingService, type RouteOf } from '../rules/routing.service.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { pay } from '../pricing/pay.ts';
import { quoteData, quoteOf, type Quote } from '../pricing/quote.ts';
import { PRIORITIES, URGENCIES, type Priority } from '../priorities.ts';
import { planOfAttempt, type AttemptRow } from '../reports/attempt.ts';

/** The next attempt of a chain. */
export interface Successor {
  from: AttemptRow;
  /** To the channel of the previous attempt when no channel takes it. */
  routing: Routing;
  row: NewSending;
  /** Why it is not sent; it is stored as failed. */
  refusal: SendingErrorCode | null;
}

/** The next attempt of a chain, of which the funds are not checked yet. */
interface Checked extends Pick<Successor, 'from' | 'routing' | 'refusal'> {
  id: string;
  attempt: AttemptPlan;
  address: string;
  priced: Quote;
}

/** Prepares the next attempts of chains: text, channel, price, or the reason why they are not sent. */
@Injectable()
export class SuccessorsService {
  constructor(
    private readonly charges: ChargesService,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly rules: AccountRulesService,
    private readonly frequency: FrequencyService,
    private readonly suppressions: SuppressionsService,
    private readonly links: UnsubscribeLinksService,
  ) {}

  /** With `isLocked` the balances are locked first (see `BillingsService.available`). */
  async prepare(
    rows: AttemptRow[],
    now: Date,
    isLocked: boolean,
  ): Promise<{ starts: Successor[]; funds: Funds }> {
    const owners = rows.map((r) => r.OwnerId);
    const blacklisted = await this.blacklisted(rows);
    const suppressed = await this.suppressed(rows);
    const link = await this.links.link();
    const ways = new Map<string, RouteOf>();
    const checked: Checked[] = [];
    for (const from of rows) {
      const attempt = planOfAttempt(from).attempts[from.attempt + 1]!;
      const id = uuidv7(now);
      const values: Record<string, string | null> = {
        ...ownValues(from.phone),
        ...from.vars,
        ...(attempt.hasLink && { [UNSUBSCRIBE_VARIABLE]: link(id) }),
      };
      const list = values[LIST_VARIABLE];
      const { type, sender } = attempt;
      const address = nextAddress(from);
      const traffic = {
        OwnerId: from.OwnerId,
        type,
        sender,
        kind: kindOf(from),
        live: from.plan.live,
      };
      const key = JSON.stringify(traffic);
      const routeOf =
        ways.get(key) ?? (await this.routing.of(traffic, () => addressesOf(from.OwnerId, rows)));
      ways.set(key, routeOf);
      const routing = routeOf({ id, address: address ?? from.phone });
      const lack = routing ? null : ((await this.routing.lackOf(traffic)) ?? 'channel_down');
      const pricing = await this.pricing.of(from.OwnerId, from.plan);
      const { isSealed } = from.plan;
      const lists = list ? [list] : [];
      const priced = quoteOf(isSealed, attempt, address ?? from.phone, values, lists, pricing);
      const denied = await this.rules.refusalOf(from.OwnerId, [attempt]);
      const refusal = !address
        ? 'invalid_recipient'
        : blacklisted.has(from.id)
          ? 'blacklisted'
          : !isSealed &&
              suppressed.has(from.id) &&
              respectsOptOut(attempt.type, {
                group: priced.group,
                isBulk: from.taskId !== null || from.plan.respectsOptOut === true,
              })
            ? 'unsubscribed'
            : denied
              ? denied
              : (lack ?? priced.refusal);
      checked.push({
        from,
        id,
        attempt,
        address: address ?? from.phone,
        routing: routing ?? { channel: from.channel, ...NO_ROUTE },
        priced,
        refusal,
      });
    }
    const { allowed, counted } = await this.claim(await this.capped(checked, now), now);
    const funds = await this.charges.funds(owners, () => [now], isLocked);
    const paid = allowed.map((one): Checked => {
      const { from, attempt, priced, refusal } = one;
      if (refusal !== null || from.plan.live === false) return one;
      const paid = pay(funds, from, { type: attempt.type, quote: priced, at: now });
      return { ...one, priced: paid.quote, refusal: paid.refusal };
    });
    const unpaid = paid.filter(({ id, refusal }) => refusal && counted.has(id));
    await this.rules.giveBack(unpaid.map(messageOf), now);
    return { starts: paid.map(successorOf), funds };
  }

  /**
   * Refuses fallbacks to persons who have had as many messages as the frequency cap of the account allows. Of a chain that counts for
   * the person already, the fallback does not count again: what is new is one to another address, or after an attempt that never counts.
   */
  private async capped(checked: Checked[], now: Date): Promise<Checked[]> {
    const claims = checked.flatMap(({ from, attempt, address, priced, refusal }) =>
      refusal || from.plan.isSealed || from.plan.live === false
        ? []
        : [
            {
              id: from.chain,
              OwnerId: from.OwnerId,
              address,
              type: attempt.type,
              group: priced.group,
              isBulk: from.taskId !== null,
            },
          ],
    );
    const { refused } = await this.frequency.claim(claims, now);
    if (!refused.size) return checked;
    return checked.map((one): Checked =>
      !one.refusal && refused.has(one.from.chain)
        ? { ...one, refusal: 'frequency_cap_reached' }
        : one,
    );
  }

  /** Counts the messages of unconfirmed accounts that nothing but a lack of funds can refuse any more. */
  private async claim(
    checked: Checked[],
    now: Date,
  ): Promise<{ allowed: Checked[]; counted: Set<string> }> {
    const sendable = checked.filter(({ refusal, from }) => !refusal && from.plan.live !== false);
    const claims = await this.rules.claim(sendable.map(messageOf), now);
    const claimOf = new Map(sendable.map(({ id }, i) => [id, claims[i]]));
    const allowed = checked.map((one): Checked =>
      claimOf.get(one.id) === 'refused' ? { ...one, refusal: 'phone_not_confirmed' } : one,
    );
    const counted = sendable.filter((_, i) => claims[i] === 'counted').map(({ id }) => id);
    return { allowed, counted: new Set(counted) };
  }

  /**
   * Ids of attempts whose fallback goes to a person who has opted out of it, or by the address of the chain of all types: that holds for
   * the other address as well.
   */
  private async suppressed(rows: AttemptRow[]): Promise<Set<string>> {
    const messages = rows.flatMap((row) => [
      {
        OwnerId: row.OwnerId,
        address: nextAddress(row) ?? row.phone,
        type: typeCode(planOfAttempt(row).attempts[row.attempt + 1]!.type),
      },
      { OwnerId: row.OwnerId, address: row.firstAddress, type: ALL_TYPES },
    ]);
    const suppressed = await this.suppressions.areSuppressed(messages);
    return new Set(
      rows.flatMap(({ id }, i) => (suppressed[2 * i] || suppressed[2 * i + 1] ? [id] : [])),
    );
  }

  /** Ids of attempts whose fallback goes to another address, which is on a blacklist of the owner. The chain's first address was checked at the start. */
  private async blacklisted(rows: AttemptRow[]): Promise<Set<string>> {
    const others = rows.flatMap((row) => {
      const address = nextAddress(row);
      return address && address !== row.phone
        ? [{ id: row.id, OwnerId: row.OwnerId, address }]
        : [];
    });
    if (!others.length) return new Set();
    const isBlacklisted = await this.rules.areBlacklisted(others);
    return new Set(others.filter((_, i) => isBlacklisted[i]).map(({ id }) => id));
  }
}

const messageOf = ({ from, address }: Checked) => ({ OwnerId: from.OwnerId, address });

function successorOf({ from, id, attempt, address, routing, priced, refusal }: Checked): Successor {
  const { attempts } = planOfAttempt(from);
  const { isSealed } = from.plan;
  return {
    from,
    routing,
    refusal,
    row: {
      id,
      OwnerId: from.OwnerId,
      groupId: from.groupId,
      chainId: from.chain,
      isLast: from.attempt + 2 >= attempts.length,
      sender: attempt.sender,
      phone: address,
      quote: refusal ? { ...priced, amount: 0n, price: [] } : priced,
      vars: null,
      data: from.taskId
        ? quoteData(priced)
        : {
            payload: attempt.payload,
            ...(isSealed && { isSealed, isExempt: true }),
            ...(from.plan.respectsOptOut && { respectsOptOut: true }),
            ...quoteData(priced),
          },
      tokenId: from.tokenId,
    },
  };
}

/** One batch for each task, attempt, route and channel, and for each chain of a single. */
export function batchesOfFallbacks(starts: Successor[], now: Date, isDropped: boolean): NewBatch[] {
  const groups = new Map<string, Successor[]>();
  for (const start of starts) {
    const key = `${start.from.taskId ?? start.from.chain} ${start.from.attempt} ${routingKey(start.routing)}`;
    const group = groups.get(key);
    if (group) group.push(start);
    else groups.set(key, [start]);
  }
  const batches: NewBatch[] = [];
  for (const group of groups.values()) {
    const { from, routing } = group[0]!;
    const { type } = planOfAttempt(from).attempts[from.attempt + 1]!;
    batches.push({
      taskId: from.taskId,
      OwnerId: from.OwnerId,
      routing,
      type,
      attempt: from.attempt + 1,
      priority: priorityOf(from),
      urgency: URGENCIES[from.plan.priority ?? 'normal'],
      dueAt: now,
      validUntil: validUntilOf(from.plan.schedule?.validUntil, now),
      plan: from.taskId ? undefined : from.plan,
      isDropped,
      rows: group.map((s) => s.row),
    });
  }
  return batches;
}

function kindOf({ taskId, plan }: AttemptRow): TrafficKind {
  if (taskId) return 'bulk';
  return plan.isSealed ? 'code' : 'single';
}

const priorityOf = (from: AttemptRow): Priority => PRIORITIES[kindOf(from)];

/** Of the next attempts of an account. */
const addressesOf = (OwnerId: string, rows: AttemptRow[]) =>
  rows.flatMap((row) => (row.OwnerId === OwnerId ? [nextAddress(row) ?? row.phone] : []));

/** Address of the next attempt: the chain's own, or the contact's other address for a type of another kind. A chain may return to its first one. */
function nextAddress(row: AttemptRow): string | null {
  const { type } = planOfAttempt(row).attempts[row.attempt + 1]!;
  const field = addressField(type);
  const isFor = (address: string) => (field === 'email') === address.includes('@');
  if (isFor(row.phone)) return row.phone;
  if (isFor(row.firstAddress)) return row.firstAddress;
  return addressOf(type, row.vars?.[field] ?? '');
}
