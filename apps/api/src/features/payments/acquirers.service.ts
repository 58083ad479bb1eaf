import { Injectable, type OnModuleInit } from '@nestjs/common';
import { formatMoney, parseMoney, type Money } from '@heliograph/domain';
import type { Acquirer, Order, PaymentRef } from '../../acquirers/acquirer.ts';
import { ACQUIRERS } from '../../acquirers/registry.ts';
import { Config, type PaymentMethod } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { Clock } from '../../core/clock.ts';
import { Signers } from '../../core/http/signers.ts';
import type { Payment } from './payment.entity.ts';
import { PayersStore } from './payers.store.ts';
import { SandboxSecret } from './sandbox-secret.service.ts';

/** The acquirers of the installation, by the name of their method. */
@Injectable()
export class AcquirersService implements OnModuleInit {
  private readonly opened = new Map<string, Promise<Acquirer>>();

  constructor(
    private readonly config: Config,
    private readonly sandboxSecret: SandboxSecret,
    private readonly signers: Signers,
    private readonly payers: PayersStore,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.signers.use('method', async (method) => {
      const acquirer = await this.find(method);
      return (headers, body) => {
        if (!acquirer.verify(headers, body))
          throw new AppError('unauthorized', 'The signature of the notification is wrong');
      };
    });
  }

  /** Also of a method that is not for new payments. Throws `not_found` if the installation does not have it. */
  find(method: string): Promise<Acquirer> {
    const known = this.config.acquirers.find((name) => name === method);
    if (!known) throw new AppError('not_found');
    let acquirer = this.opened.get(known);
    if (!acquirer) {
      acquirer = this.open(known).catch((error: unknown) => {
        this.opened.delete(known);
        throw error;
      });
      this.opened.set(known, acquirer);
    }
    return acquirer;
  }

  async orderOf(payment: Payment): Promise<Order> {
    const { id, currency, method, urlSuccess, urlFail, OwnerId, kind } = payment;
    return {
      reference: id,
      sum: sumOf(payment),
      currency,
      description: `${this.config.TITLE}: ${formatMoney(parseMoney(payment.amount)).slice(0, -2)} ${currency}`,
      successUrl: urlSuccess,
      failUrl: urlFail,
      notifyUrl: `${this.config.publicUrl}/api/payments/webhook/${method}`,
      savesCard: kind === 'first',
      contact: await this.payers.contactOf(OwnerId),
      now: this.clock.now(),
    };
  }

  refOf(payment: Payment): PaymentRef {
    const { id: reference, externalId, currency, kind } = payment;
    const [savesCard, isCharge] = [kind === 'first', kind === 'charge'];
    return { reference, externalId, sum: sumOf(payment), currency, savesCard, isCharge };
  }

  /** For the receipt of a refund. */
  async contactOf({ OwnerId }: Payment): Promise<Pick<Order, 'contact' | 'now'>> {
    return { contact: await this.payers.contactOf(OwnerId), now: this.clock.now() };
  }

  private async open(method: PaymentMethod): Promise<Acquirer> {
    const url = this.config.PAYMENT_SANDBOX_URL ?? `${this.config.localUrl}/sandbox`;
    const sandbox = { url, secret: await this.sandboxSecret.get() };
    const stripe = {
      secretKey: this.config.STRIPE_SECRET_KEY!,
      webhookSecret: this.config.STRIPE_WEBHOOK_SECRET!,
      url: this.config.STRIPE_URL,
      currencies: this.config.STRIPE_CURRENCIES,
    };
    const { TINKOFF_TAXATION: taxation, TINKOFF_TAX: tax } = this.config;
    const tinkoff = {
      terminalKey: this.config.TINKOFF_TERMINAL_KEY!,
      password: this.config.TINKOFF_PASSWORD!,
      url: this.config.TINKOFF_URL,
      receipt: taxation ? { taxation, tax } : null,
    };
    return ACQUIRERS[method]({ sandbox, stripe, tinkoff });
  }
}

/** What the payer pays. */
export const sumOf = ({ amount, commission }: Payment): Money =>
  parseMoney(amount) + parseMoney(commission);
