import { Injectable } from '@nestjs/common';
import type { Invitation, NewAccount } from '@heliograph/contract';
import { parseMoney, type Locale } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { hashPassword, randomPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { FreeCreditsService } from '../billings/free-credits.service.ts';
import { InvitationsService } from '../recovery/invitations.service.ts';
import { SendernamesService } from '../sendernames/sendernames.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { UsersService, type User } from '../users/users.service.ts';
import { AccountsStore } from './accounts.store.ts';
import { withSettings } from './accounts.service.ts';
import { BoundsService } from './bounds.service.ts';

/** Accounts and invitations by one account per hour. */
const LIMIT = 200;

type Opened = { user: User; invitation: Invitation };
type Given = Omit<NewAccount, 'locale'>;

/** Opens accounts for others: customers, and for administrators resellers and managers. Administrators are not among them. */
@Injectable()
export class NewAccountsService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: AccountsStore,
    private readonly users: UsersService,
    private readonly bounds: BoundsService,
    private readonly tariffs: TariffsService,
    private readonly billings: BillingsService,
    private readonly credits: FreeCreditsService,
    private readonly sendernames: SendernamesService,
    private readonly invitations: InvitationsService,
    private readonly audit: Audit,
    private readonly config: Config,
    limits: RateLimits,
  ) {
    this.limit = limits.of('accounts', LIMIT, 3600);
  }

  /** The phone counts as confirmed: who opens the account vouches for it. There is no free credit. */
  async open(actor: Actor, { username, data, ...input }: Given, locale: Locale): Promise<Opened> {
    if (actor.userId !== actor.OwnerId)
      throw new AppError('forbidden', 'Only an account holder can create accounts');
    await take(this.limit, actor.OwnerId);
    const places = await this.placesOf(actor, input);
    await this.bounds.check(actor, { ...input, ...places.own });
    const { currency, overdraft = 0, isTest = false } = input;
    this.checkCurrency(currency);
    const level = input.level ?? 'me';
    const { ResellerId, ManagerId } = places;
    const settings = withSettings({}, { ...input, currency: currency ?? places.currency });
    // Nobody knows it. The holder chooses another one by the link.
    const passwordHash = await hashPassword(randomPassword());
    const values = { level, ResellerId, ManagerId, isTest, settings, passwordHash };
    let invitation: Invitation;
    const name = username ?? data.email!;
    const then = async (created: User) => {
      const { id } = created;
      await this.tariffs.giveDefaults(id);
      await this.sendernames.grant(id, this.config.REGISTRATION_SENDERNAME);
      await this.credits.open(id, 0, null);
      if (overdraft) await this.billings.setOverdraft(id, parseMoney(overdraft));
      const after = { username: name, level, ResellerId, ManagerId, isTest, settings, overdraft };
      await this.audit.record({ OwnerId: id, target: ['users', id], after });
      invitation = await this.invitations.inviteNew(created, locale);
    };
    return this.db.transaction(async () => {
      if (ResellerId) await this.bounds.takeCustomer(ResellerId);
      const user = await this.users.openFor(name, data, values, then);
      return { user, invitation };
    });
  }

  async inviteAgain(actor: Actor, id: string, locale: Locale): Promise<Invitation> {
    await take(this.limit, actor.OwnerId);
    return this.db.transaction(async () => {
      await this.store.lock(id);
      const user = await this.users.administered(actor, id);
      const invitation = await this.invitations.inviteAgain(user, locale);
      const { email } = invitation;
      await this.audit.record({ OwnerId: user.OwnerId, target: ['users', id], after: { email } });
      return invitation;
    });
  }

  /**
   * The reseller and manager of a new account. Who is not an administrator is that itself, and need not say so; `own` is what it asked
   * for beyond this.
   */
  private async placesOf(actor: Actor, input: Omit<Given, 'username' | 'data'>) {
    const { level = 'me', ResellerId, ManagerId } = input;
    const isAdministrator = actor.scope.kind === 'all';
    const asked = {
      reseller:
        ResellerId ?? (actor.scope.kind === 'reseller' && level === 'me' ? actor.OwnerId : null),
      manager: ManagerId ?? (actor.scope.kind === 'manager' ? actor.userId : null),
    };
    const own = isAdministrator
      ? {}
      : {
          level: level === 'me' ? undefined : level,
          ResellerId: asked.reseller === actor.OwnerId ? undefined : (ResellerId ?? undefined),
          ManagerId: asked.manager === actor.userId ? undefined : (ManagerId ?? undefined),
        };
    if (asked.reseller && level !== 'me')
      throw invalid('ResellerId', 'invalid_value', 'Only a customer has a reseller.');
    const reseller = asked.reseller && (await this.store.holderOf(asked.reseller, 'reseller'));
    if (asked.reseller && !reseller)
      throw invalid('ResellerId', 'invalid_value', 'There is no such reseller.');
    if (asked.manager && !(await this.store.holderOf(asked.manager, 'manager')))
      throw invalid('ManagerId', 'invalid_value', 'There is no such manager.');
    return {
      own,
      ResellerId: asked.reseller,
      ManagerId: asked.manager ?? (reseller && reseller.ManagerId) ?? null,
      currency: (reseller && reseller.currency) || undefined,
    };
  }

  private checkCurrency(currency: string | null | undefined): void {
    if (currency && !Intl.supportedValuesOf('currency').includes(currency))
      throw invalid('currency', 'invalid_value', 'The currency must be a code of ISO 4217.');
  }
}
