import { Injectable } from '@nestjs/common';
import type { AccountInput } from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { UsersService, type User } from '../users/users.service.ts';
import { AccountsStore, type StoredSettings } from './accounts.store.ts';
import { BoundsService } from './bounds.service.ts';

/** Where settings are stored; null removes one, so that it is that of the installation. */
const PATHS = {
  currency: ['billings', 'currency'],
  creditLine: ['billings', 'creditLine'],
  processChildrenOperations: ['billings', 'processChildrenOperations'],
  types: ['sendings', 'types'],
  sendernamesCheck: ['sendings', 'sendernamesCheck'],
  lookupDays: ['sendings', 'lookupDays'],
  lookupFirst: ['sendings', 'lookupFirst'],
  maxCustomers: ['accounts', 'maxCustomers'],
  maxCustomerOverdraft: ['accounts', 'maxCustomerOverdraft'],
  maySellBelowCost: ['accounts', 'maySellBelowCost'],
} as const satisfies Partial<Record<keyof AccountInput, readonly [string, string]>>;

/** Level, reseller, manager, money and sending rules of an account. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly db: Db,
    private readonly store: AccountsStore,
    private readonly users: UsersService,
    private readonly billings: BillingsService,
    private readonly bounds: BoundsService,
    private readonly audit: Audit,
    private readonly events: Events,
  ) {}

  async configure(actor: Actor, id: string, input: AccountInput): Promise<User> {
    await this.holder(actor, id);
    await this.bounds.check(actor, input);
    return this.db.transaction(async () => {
      const { settings, overdraft } = await this.store.lock(id);
      const before = await this.holder(actor, id);
      const after = {
        level: input.level ?? before.level,
        ResellerId: input.ResellerId === undefined ? before.ResellerId : input.ResellerId,
        ManagerId: input.ManagerId === undefined ? before.ManagerId : input.ManagerId,
        isTest: input.isTest ?? before.isTest,
        settings: withSettings(settings, input),
      };
      await this.checkPlaces(before, after);
      await this.checkCurrency(before, settings, after);
      await this.store.store(id, after);
      const granted = input.overdraft ?? overdraft;
      if (granted !== overdraft) await this.setOverdraft(id, granted);
      const { level, ResellerId, ManagerId, isTest } = before;
      await this.audit.record({
        OwnerId: id,
        target: ['users', id],
        before: { level, ResellerId, ManagerId, isTest, settings, overdraft },
        after: { ...after, overdraft: granted },
      });
      this.events.changed('users', 'updated', id, id);
      return this.users.administered(actor, id);
    });
  }

  private setOverdraft(id: string, overdraft: number): Promise<void> {
    return this.billings.setOverdraft(id, parseMoney(overdraft)).catch((error: unknown) => {
      if (violated(error) !== 'balance_covers') throw error;
      throw new AppError('conflict', 'The balance is further below zero than this overdraft.');
    });
  }

  /** Another user of an account has no settings of its own. */
  private async holder(actor: Actor, id: string): Promise<User> {
    const user = await this.users.administered(actor, id);
    if (user.OwnerId !== id)
      throw new AppError('conflict', 'Only the account holder has these settings');
    return user;
  }

  /** A reseller and a manager are those; an account that looks after others keeps its level. */
  private async checkPlaces(before: User, after: AccountPlaces): Promise<void> {
    const { level, ResellerId, ManagerId } = after;
    if (level !== before.level && (await this.store.looksAfter(before.id)))
      throw new AppError('conflict', 'Other accounts have it as their reseller or manager');
    // They would go along, whatever the level.
    if (level !== before.level && before.grants.add?.length)
      throw new AppError(
        'conflict',
        'The user has permissions of its own, such as an administrator',
      );
    if (level !== 'me' && ResellerId)
      throw invalid('ResellerId', 'invalid_value', 'Only a customer has a reseller.');
    if (ResellerId !== before.ResellerId && ResellerId) {
      const reseller = await this.store.holderOf(ResellerId, 'reseller');
      if (!reseller) throw invalid('ResellerId', 'invalid_value', 'There is no such reseller.');
      await this.bounds.takeCustomer(ResellerId);
    }
    const isNewManager = ManagerId !== before.ManagerId && ManagerId;
    if (isNewManager && !(await this.store.holderOf(ManagerId, 'manager')))
      throw invalid('ManagerId', 'invalid_value', 'There is no such manager.');
  }

  /** Amounts that were booked keep their currency, and money moves between accounts of one currency. */
  private async checkCurrency(
    { id }: User,
    settings: StoredSettings,
    after: { settings: StoredSettings },
  ): Promise<void> {
    const { currency } = after.settings.billings ?? {};
    if (currency === settings.billings?.currency) return;
    if (currency && !Intl.supportedValuesOf('currency').includes(String(currency)))
      throw invalid('currency', 'invalid_value', 'The currency must be a code of ISO 4217.');
    if (await this.billings.hasEntries(id))
      throw new AppError('conflict', 'The account has entries in its present currency.');
  }
}

type AccountPlaces = Pick<User, 'level' | 'ResellerId' | 'ManagerId'>;

/** The stored settings with those of the input. */
export function withSettings(stored: StoredSettings, input: AccountInput): StoredSettings {
  const settings = structuredClone(stored);
  for (const [name, [area, key]] of Object.entries(PATHS)) {
    const value = input[name as keyof typeof PATHS];
    if (value === undefined) continue;
    const values = (settings[area] ??= {});
    if (value === null) delete values[key];
    else values[key] = value;
  }
  return settings;
}
