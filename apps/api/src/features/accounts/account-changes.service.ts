import { Injectable } from '@nestjs/common';
import type { AccountChange, AccountChanged, AuditAction } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { SpendCapsService } from '../billings/spend-caps.service.ts';
import { CatalogueService } from '../tariffs/catalogue.service.ts';
import { SuspensionsService } from '../users/suspensions.service.ts';
import { UsersService } from '../users/users.service.ts';
import { AccountsService } from './accounts.service.ts';

/** The status from which on an error is no refusal of an account. */
const SERVER_FAULT = 500;

/**
 * Changes of many accounts. Each part of a change is that of the call for one account, by the same service, with the same permission
 * and the same audit record. An account is changed in a transaction of its own.
 */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly db: Db,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly tariffs: CatalogueService,
    private readonly caps: SpendCapsService,
    private readonly suspensions: SuspensionsService,
    private readonly audit: Audit,
  ) {}

  /** In the order of the call; an account that is refused does not keep the others back. */
  async apply(actor: Actor, changes: AccountChange[]): Promise<AccountChanged[]> {
    const results: AccountChanged[] = [];
    for (const change of changes)
      results.push({ id: change.id, error: await this.refusalOf(actor, change) });
    return results;
  }

  private async refusalOf(actor: Actor, change: AccountChange): Promise<AccountChanged['error']> {
    try {
      await this.db.transaction(() => this.change(actor, change));
      return null;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= SERVER_FAULT) throw error;
      const [issue] = error.detail.issues ?? [];
      const { code, message } = error;
      return {
        code,
        message: issue?.message ?? message,
        field: issue?.field ?? null,
        rule: issue?.rule ?? null,
      };
    }
  }

  private async change(
    actor: Actor,
    { id, settings, tariffs, caps, suspend, resume }: AccountChange,
  ): Promise<void> {
    const user = await this.users.administered(actor, id);
    if (user.OwnerId !== id)
      throw new AppError('conflict', 'Only the account holder has these settings');
    if (user.closedAt) throw new AppError('conflict', 'The account is closed');
    const as = (action: AuditAction, work: () => Promise<unknown>) => this.audit.as(action, work);
    if (settings) await as('users.configure', () => this.accounts.configure(actor, id, settings));
    if (tariffs) {
      requirePermission(actor, 'tariffs.update', 'resellerUp');
      await as('tariffs.assign', () => this.tariffs.assign(actor, id, tariffs));
    }
    if (caps) {
      requirePermission(actor, 'spendCaps.update');
      const input = { ...caps, OwnerId: id };
      await as('spendCaps.set', () => this.caps.set(actor, input));
    }
    if (suspend || resume) requirePermission(actor, 'users.suspend', 'resellerUp');
    if (suspend)
      await as('users.suspend', () => this.suspensions.suspend(actor, id, suspend.reason));
    if (resume) await as('users.resume', () => this.suspensions.resume(actor, id));
  }
}
