import { Injectable } from '@nestjs/common';
import type { RulesRefusal, SendingErrorCode } from '@heliograph/domain';
import { uuidv7 } from '../../../core/uuid.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { AudienceStore } from '../audience/audience.store.ts';
import { InsertStore, type NewBatch, type NewSending } from '../insert.store.ts';
import { addressField, addressOf, LIST, ownValues, type AttemptPlan } from '../plan.ts';
import { RoutingService } from '../rules/routing.service.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { groupData, quote } from '../pricing/quote.ts';
import { planOfAttempt } from '../reports/reports.service.ts';
import type { AttemptRow } from '../reports/reports.store.ts';

/** The next attempt of a chain. */
export interface Successor {
  from: AttemptRow;
  /** That takes it; where none does, the one that took the attempt before. */
  channel: string;
  row: NewSending;
  /** Why it cannot be sent; it is kept as failed. */
  refusal: SendingErrorCode | null;
}

/** What the next attempts of chains say, where they go and what they cost, or why they cannot be sent. */
@Injectable()
export class SuccessorsService {
  constructor(
    private readonly inserts: InsertStore,
    private readonly audience: AudienceStore,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly rules: AccountRulesService,
  ) {}

  /** Renders, prices and reckons whether it can be paid, owner by owner. */
  async prepare(rows: AttemptRow[], now: Date, isLocked: boolean): Promise<Successor[]> {
    const owners = rows.map((r) => r.OwnerId);
    const blacklisted = await this.blacklisted(rows);
    const left = await this.inserts.available(owners, isLocked);
    const starts: Successor[] = [];
    for (const from of rows) {
      const plan = planOfAttempt(from);
      const attempt = plan.attempts[from.attempt + 1]!;
      const values = { ...ownValues(from.phone), ...from.vars };
      const list = values[LIST];
      const activeChannel = await this.routing.activeChannel(from.OwnerId, attempt.type);
      const address = nextAddress(from);
      const pricing = await this.pricing.of(from.OwnerId);
      const priced = quote(attempt, address ?? from.phone, values, list ? [list] : [], pricing);
      const denied = address && (await this.denial(from.OwnerId, attempt, address));
      const amount = priced.amount ?? 0n;
      const funds = left.get(from.OwnerId) ?? 0n;
      const refusal = !address
        ? 'invalid_recipient'
        : blacklisted.has(from.id)
          ? 'blacklisted'
          : denied
            ? denied
            : !activeChannel
              ? 'channel_down'
              : priced.amount === null
                ? 'no_price'
                : amount > funds
                  ? 'insufficient_funds'
                  : null;
      if (!refusal) left.set(from.OwnerId, funds - amount);
      starts.push({
        from,
        channel: activeChannel ?? from.channel,
        refusal,
        row: {
          id: uuidv7(now),
          OwnerId: from.OwnerId,
          groupId: from.groupId,
          chainId: from.chain,
          isLast: from.attempt + 2 >= plan.attempts.length,
          sender: attempt.sender,
          phone: address ?? from.phone,
          quote: refusal ? { ...priced, amount: 0n, price: [] } : priced,
          vars: null,
          data: from.taskId
            ? groupData(priced)
            : { payload: attempt.payload, ...groupData(priced) },
        },
      });
    }
    return starts;
  }

  /** Why the account may not send this attempt there; a message to an unconfirmed account's own phone is counted. */
  private async denial(
    OwnerId: string,
    attempt: AttemptPlan,
    address: string,
  ): Promise<RulesRefusal | null> {
    const refusal = await this.rules.refusalOf(OwnerId, [attempt]);
    if (refusal) return refusal;
    const reached = await this.rules.claim(OwnerId, [address]);
    return reached?.includes(false) ? 'phone_not_confirmed' : null;
  }

  /** Those that go on to another kind of address than before, which their owner has blacklisted. */
  private async blacklisted(rows: AttemptRow[]): Promise<Set<string>> {
    const others = rows.flatMap((row) => {
      const address = nextAddress(row);
      return address && address !== row.phone
        ? [{ id: row.id, OwnerId: row.OwnerId, address }]
        : [];
    });
    if (!others.length) return new Set();
    const answers = await this.audience.areBlacklisted(others);
    return new Set(others.filter((_, i) => answers[i]).map(({ id }) => id));
  }
}

/** Attempts of one task and turn go together; a single's chain goes alone. */
export function batchesOf(starts: Successor[], now: Date, isDropped: boolean): NewBatch[] {
  const byKind = new Map<string, Successor[]>();
  for (const start of starts) {
    const key = `${start.from.taskId ?? start.from.chain} ${start.from.attempt} ${start.channel}`;
    const kind = byKind.get(key);
    if (kind) kind.push(start);
    else byKind.set(key, [start]);
  }
  const batches: NewBatch[] = [];
  for (const kind of byKind.values()) {
    const { from, channel } = kind[0]!;
    const { type } = planOfAttempt(from).attempts[from.attempt + 1]!;
    batches.push({
      taskId: from.taskId,
      OwnerId: from.OwnerId,
      channel,
      type,
      attempt: from.attempt + 1,
      priority: from.taskId ? 1 : 0,
      dueAt: now,
      plan: from.taskId ? undefined : from.plan,
      isDropped,
      rows: kind.map((s) => s.row),
    });
  }
  return batches;
}

/** Where the next attempt goes: the chain's own address, or the contact's other one where that is of another kind. */
function nextAddress(row: AttemptRow): string | null {
  const { type } = planOfAttempt(row).attempts[row.attempt + 1]!;
  const field = addressField(type);
  if ((field === 'email') === row.phone.includes('@')) return row.phone;
  return addressOf(type, row.vars?.[field] ?? '');
}
