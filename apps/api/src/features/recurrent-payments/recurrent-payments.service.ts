import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  MAX_SHOWN_PAYMENTS,
  type RecurrentPaymentDetails,
  type RecurrentPaymentInput,
} from '@heliograph/contract';
import {
  canReInit,
  formatMoney,
  moneyToNumber,
  nextChargeAt,
  parseMoney,
  recurrentTransition,
  type RecurrentAction,
  type RecurrentStatus,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { may, refuseImpersonated, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { KeyedEffects } from '../../core/keyed-effects.ts';
import { Quotas } from '../../core/quotas.ts';
import { PaymentsService, type Payment } from '../payments/payments.service.ts';
import { present, type RecurrentPayment } from './recurrent-payment.entity.ts';
import { RECURRENT_QUOTA, RecurrentPaymentsStore } from './recurrent-payments.store.ts';

type Method = RecurrentPaymentInput['method'];

/** What people do with recurring payments. A saved card belongs to its owner: nobody else sets one up or has it charged again. */
@Injectable()
export class RecurrentPaymentsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: RecurrentPaymentsStore,
    private readonly payments: PaymentsService,
    private readonly owners: Owners,
    private readonly quotas: Quotas,
    private readonly effects: KeyedEffects,
    private readonly events: Events,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'recurrentPayments',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** With its last payments, for those who may read payments. */
  async details(actor: Actor, id: string): Promise<RecurrentPaymentDetails> {
    const row = await this.owners.withOwner(actor.level, await this.store.get(actor.scope, id));
    const shown = present(row, actor.level);
    if (!may(actor, 'payments.get')) return shown;
    return { ...shown, Payments: await this.payments.lastOf(actor, id, MAX_SHOWN_PAYMENTS) };
  }

  async create(
    actor: Actor,
    input: RecurrentPaymentInput,
  ): Promise<{ row: RecurrentPayment; url: string }> {
    refuseImpersonated(actor);
    const { OwnerId, userId: createdBy } = actor;
    const { type, method } = input;
    const start = async () => {
      const currency = await this.payments.chargeCurrency(OwnerId, method);
      const row = await this.store.create({
        OwnerId,
        createdBy,
        type,
        method,
        currency,
        amount: formatMoney(parseMoney(input.amount)),
        threshold: input.type === 'threshold' ? formatMoney(parseMoney(input.threshold)) : null,
        frequency: input.type === 'frequency' ? input.frequency : null,
      });
      await this.quotas.check(RECURRENT_QUOTA, OwnerId);
      await this.audit.record({
        OwnerId,
        target: ['recurrentPayments', row.id],
        after: { ...input },
      });
      this.events.changed('recurrentPayments', 'created', OwnerId, row.id);
      return (await this.addFirst(row, createdBy)).id;
    };
    return this.effects.run(start, async (firstId) => {
      const { payment, url } = await this.payments.open(firstId);
      return { row: await this.store.get(actor.scope, payment.RecurrentPaymentId!), url };
    });
  }

  /** Another first payment, which saves a card again. */
  async reInit(actor: Actor, id: string, method: Method | undefined): Promise<{ url: string }> {
    const start = async () => {
      let row = await this.store.lock(actor.scope, id);
      refuseOthers(actor, row);
      if (!canReInit(row.status))
        throw new AppError('conflict', 'A card can be confirmed in init and error only');
      if (method && method !== row.method) {
        await this.payments.chargeCurrency(row.OwnerId, method);
        row = await this.store.update(systemScope, id, { method });
      }
      return (await this.addFirst(row, actor.userId)).id;
    };
    return this.effects.run(start, async (firstId) => {
      const { url } = await this.payments.open(firstId);
      return { url };
    });
  }

  /** A row can be put back as it was read: the status that it has is no change. */
  update(actor: Actor, id: string, status: RecurrentStatus): Promise<RecurrentPayment> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      if (row.status === status) return row;
      if (status !== 'ready' && status !== 'pause')
        throw invalid('status', 'invalid_value', 'The field status must be one of ready, pause.');
      if (status === 'ready') refuseOthers(actor, row);
      return this.act(actor, id, status === 'ready' ? 'resume' : 'pause');
    });
  }

  block(actor: Actor, id: string, isBlocked: boolean): Promise<RecurrentPayment> {
    return this.act(actor, id, isBlocked ? 'block' : 'unblock');
  }

  /** A charge in flight ends as it would. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.remove(actor.scope, id);
      await this.audit.record({ OwnerId, target: ['recurrentPayments', id] });
      this.events.changed('recurrentPayments', 'removed', OwnerId, id);
      return { id };
    });
  }

  /** Removes all of an account that is closed, with their saved cards, in the caller's transaction. Returns how many. */
  async removeAll(OwnerId: string): Promise<number> {
    const removed = await this.store.removeAll(OwnerId);
    if (removed) this.events.counted('recurrentPayments', 'removed', OwnerId, null, removed);
    return removed;
  }

  private act(actor: Actor, id: string, action: RecurrentAction): Promise<RecurrentPayment> {
    return this.db.transaction(async () => {
      const found = await this.store.lock(actor.scope, id);
      const { OwnerId, status } = found;
      const next = recurrentTransition(found, action);
      if (!next) throw new AppError('conflict', `Impossible in the status ${status}`);
      const nextAt = action === 'resume' ? this.dateAfterPause(found) : found.nextAt;
      const row = await this.store.update(systemScope, id, { status: next, nextAt });
      const before = { status };
      const after = { status: next };
      await this.audit.record({ OwnerId, target: ['recurrentPayments', id], before, after });
      this.events.changed('recurrentPayments', 'updated', OwnerId, id);
      return row;
    });
  }

  /** To resume charges is not to ask for one at once: the dates that have passed meanwhile are left out. */
  private dateAfterPause({ frequency, anchor, timeZone, nextAt }: RecurrentPayment): Date | null {
    const now = this.clock.now();
    const isPast = frequency && anchor && nextAt && nextAt <= now;
    return isPast ? nextChargeAt({ anchor, timeZone }, frequency, now) : nextAt;
  }

  private addFirst(row: RecurrentPayment, createdBy: string): Promise<Payment> {
    const { OwnerId, method, amount, id: RecurrentPaymentId } = row;
    const input = { amount: moneyToNumber(parseMoney(amount)), method: method as Method };
    return this.payments.add({ OwnerId, createdBy, input, kind: 'first', RecurrentPaymentId });
  }
}

/** Managers and resellers can stop the charges of their customers' cards, but not start them. */
function refuseOthers(actor: Actor, { OwnerId }: RecurrentPayment): void {
  refuseImpersonated(actor);
  if (OwnerId !== actor.OwnerId)
    throw new AppError('forbidden', 'Only its account can confirm a card or resume charges');
}
