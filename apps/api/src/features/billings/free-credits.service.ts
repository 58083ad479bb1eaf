import { Injectable } from '@nestjs/common';
import { parseMoney } from '@heliograph/domain';
import { SettingsService } from '../settings/settings.service.ts';
import { BalancesStore } from './balances.store.ts';
import { BillingsService } from './billings.service.ts';
import { FreeCreditsStore } from './free-credits.store.ts';

/** The credit with which an account opens. A phone receives it once. */
@Injectable()
export class FreeCreditsService {
  constructor(
    private readonly store: FreeCreditsStore,
    private readonly balances: BalancesStore,
    private readonly billings: BillingsService,
    private readonly settings: SettingsService,
  ) {}

  /** Creates the balance of a new account with its free credit. A phone receives it once, also when two accounts open at the same time. */
  async open(OwnerId: string, credit: number, phone: string | null): Promise<void> {
    await this.balances.openBalance(OwnerId);
    if (!credit || !phone || !(await this.store.take(phone, OwnerId, credit))) return;
    const { currency } = await this.settings.ofAccount(OwnerId);
    await this.billings.addEntry(
      { OwnerId, source: 'accrual', comment: 'Starting credit' },
      parseMoney(credit),
      currency,
    );
  }

  /** Whether a test account received its free credit for another phone, and another account received that of this phone. */
  isOfAnother(OwnerId: string, phone: string): Promise<boolean> {
    return this.store.isOfAnother(OwnerId, phone);
  }

  /**
   * Binds the free credit of a test account to the phone that it confirms. False when that phone already has a credit. In the caller's
   * transaction.
   */
  async bind(OwnerId: string, phone: string): Promise<boolean> {
    if (await this.store.isOfAnother(OwnerId, phone)) return false;
    await this.store.bind(OwnerId, phone);
    return true;
  }
}
