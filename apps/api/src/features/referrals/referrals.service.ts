import { Injectable } from '@nestjs/common';
import type { BillingOrigin } from '@heliograph/contract';
import { bonusToReturn, referralBonus, type Money } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BillingsService, ORIGIN_CODES } from '../billings/billings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { ReferralsStore } from './referrals.store.ts';

const DAY_MS = 86_400_000;

/** Bonuses for what referred accounts pay, in the transaction that credits or refunds the payment. */
@Injectable()
export class ReferralsService {
  constructor(
    private readonly db: Db,
    private readonly store: ReferralsStore,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Gives the referrer of an account its share of a payment or invoice, once. Accounts of different currencies share nothing. */
  onPayment(OwnerId: string, paid: Money, origin: BillingOrigin): Promise<void> {
    return this.db.transaction(async () => {
      const { REFERRAL_BONUS_PERCENT: percent, REFERRAL_BONUS_DAYS: days } = this.config;
      const amount = referralBonus(paid, percent);
      if (amount <= 0n) return;
      const since = new Date(this.clock.now().getTime() - days * DAY_MS);
      const referrer = await this.store.referrerOf(OwnerId, since);
      if (!referrer) return;
      const [own, theirs] = [
        await this.settings.ofAccount(OwnerId),
        await this.settings.ofAccount(referrer),
      ];
      if (own.currency !== theirs.currency) return;
      const id = await this.store.add(
        { OwnerId: referrer, referredId: OwnerId },
        { code: ORIGIN_CODES[origin.type], id: origin.id },
        { paid, amount, percent, days },
      );
      if (id)
        await this.billings.post({ OwnerId: referrer, amount, origin: { type: 'referral', id } });
    });
  }

  /** Takes the bonus for a payment back in proportion to what is refunded of it in all, as far as the balance covers it. */
  onRefund(origin: BillingOrigin, refunded: Money): Promise<void> {
    return this.db.transaction(async () => {
      const bonus = await this.store.lock({ code: ORIGIN_CODES[origin.type], id: origin.id });
      const amount = bonus ? bonusToReturn(bonus, refunded) : 0n;
      if (!bonus || amount <= 0n) return;
      const id = uuidv7(this.clock.now());
      const taken = await this.billings.takeCovered({
        OwnerId: bonus.OwnerId,
        amount,
        origin: { type: 'referral', id },
      });
      await this.store.addReturn(id, bonus, amount, -(taken?.amount ?? 0n));
    });
  }
}
