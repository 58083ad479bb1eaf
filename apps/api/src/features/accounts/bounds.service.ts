import { Injectable } from '@nestjs/common';
import type { AccountInput } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { AccountsStore } from './accounts.store.ts';

const DEFAULT_MAX_CUSTOMERS = 1000;
/** What a reseller sets of its customers; a manager everything but what follows. */
const OF_RESELLERS: readonly string[] = ['isTest', 'overdraft', 'types'];
const OF_ADMINISTRATORS: readonly string[] = [
  'level',
  'ResellerId',
  'ManagerId',
  'maySellBelowCost',
];

/** What an actor may give the accounts that it runs. */
@Injectable()
export class BoundsService {
  constructor(
    private readonly settings: SettingsService,
    private readonly store: AccountsStore,
  ) {}

  /** Refuses settings that are not the actor's to give. Administrators are refused none. */
  async check(actor: Actor, input: AccountInput): Promise<void> {
    (await this.of(actor))(input);
  }

  /** What refuses settings, for many accounts. */
  async of(actor: Actor): Promise<(input: AccountInput) => void> {
    if (actor.scope.kind === 'all') return () => {};
    if (actor.scope.kind !== 'reseller')
      return (input) => refuseForeign(input, (name) => !OF_ADMINISTRATORS.includes(name));
    const { maxOverdraft } = await this.store.boundsOf(actor.OwnerId);
    const { types } = await this.settings.ofAccount(actor.OwnerId);
    return (input) => {
      refuseForeign(input, (name) => OF_RESELLERS.includes(name));
      if ((input.overdraft ?? 0) > maxOverdraft)
        throw invalid(
          'overdraft',
          'too_big',
          `You may grant your customers an overdraft of at most ${maxOverdraft}.`,
        );
      if (!(input.types?.every((type) => types.includes(type)) ?? true))
        throw invalid('types', 'invalid_value', 'You may grant only types of your own.');
    };
  }

  /** A customer more of a reseller, whose row stays locked. In the caller's transaction. */
  async takeCustomer(ResellerId: string): Promise<void> {
    const { isClosed, customers, maxCustomers } = await this.store.lockReseller(ResellerId);
    if (isClosed) throw new AppError('conflict', 'The reseller is closed');
    if (customers >= (maxCustomers ?? DEFAULT_MAX_CUSTOMERS))
      throw new AppError('quota_exceeded', 'The reseller has as many customers as it may have', {
        payload: { quota: 'customers' },
      });
  }
}

function refuseForeign(input: AccountInput, isOwn: (name: string) => boolean): void {
  const foreign = Object.entries(input).find(
    ([name, value]) => value !== undefined && !isOwn(name),
  );
  if (foreign)
    throw new AppError('forbidden', `Only an administrator can set ${foreign[0]} of an account`);
}
