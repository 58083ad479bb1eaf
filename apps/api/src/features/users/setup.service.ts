import { Injectable } from '@nestjs/common';
import type { Setup } from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { PasswordPolicy } from '../../core/auth/password-policy.ts';
import { hashPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, invalidFields } from '../../core/errors.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { hasManager, lockSetup } from './commands.store.ts';
import { insertAdministrator } from './create-administrator.ts';
import { setupCode, setupLink } from './setup-code.ts';
import { UsersService } from './users.service.ts';

/** Wrong codes per network and hour. */
const LIMIT = 10;

/** The first administrator of an installation, created by who can read its code. docs/decisions/182-first-administrator.md. */
@Injectable()
export class SetupService {
  private readonly limit: RateLimiterRedis;
  /** For ever. */
  private isDone = false;

  constructor(
    private readonly db: Db,
    private readonly config: Config,
    private readonly users: UsersService,
    private readonly passwords: PasswordPolicy,
    limits: RateLimits,
  ) {
    this.limit = limits.of('setup', LIMIT, 3600);
  }

  /** Whether nobody administers the installation yet. */
  async isOpen(): Promise<boolean> {
    this.isDone ||= await hasManager(this.db);
    return !this.isDone;
  }

  link(): Promise<string | null> {
    return setupLink(this.db, this.config);
  }

  /** Throws `conflict` if there is an administrator. */
  async setUp(
    { code, username, password, email }: Setup,
    visitor: Visitor,
  ): Promise<{ id: string }> {
    await this.requireNone();
    await take(this.limit, visitor.network);
    if (!isSameSecret(code, await setupCode(this.db, this.config)))
      throw invalid('code', 'code_wrong', 'This is not the setup code of the installation.');
    await this.limit.reward(visitor.network);
    const faults = [
      await this.users.usernameFault(username),
      await this.passwords.fault(password, username),
    ].filter((fault) => fault !== null);
    if (faults.length) throw invalidFields(faults);
    const passwordHash = await hashPassword(password);
    return this.db.transaction(async () => {
      await lockSetup(this.db);
      await this.requireNone();
      return { id: await insertAdministrator(this.db, { username, passwordHash, email }) };
    });
  }

  private async requireNone(): Promise<void> {
    if (await hasManager(this.db))
      throw new AppError('conflict', 'The installation has an administrator.');
  }
}
