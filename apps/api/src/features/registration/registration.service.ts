import { Injectable } from '@nestjs/common';
import type { Registration } from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { PasswordPolicy } from '../../core/auth/password-policy.ts';
import { hashPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import { AppError, invalidFields } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take, withPoints } from '../../core/rate-limits.ts';
import { FreeCreditsService } from '../billings/free-credits.service.ts';
import { CaptchaService } from '../captcha/captcha.service.ts';
import { SendernamesService } from '../sendernames/sendernames.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { UsersService } from '../users/users.service.ts';

type NewAccount = Omit<Registration, 'captcha'>;

@Injectable()
export class RegistrationService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly users: UsersService,
    private readonly tariffs: TariffsService,
    private readonly credits: FreeCreditsService,
    private readonly sendernames: SendernamesService,
    private readonly notifications: Notifications,
    private readonly passwords: PasswordPolicy,
    private readonly captcha: CaptchaService,
    limits: RateLimits,
  ) {
    this.limit = limits.of('registration', config.REGISTRATION_LIMIT, 3600);
  }

  /** Creates an account with default tariffs, an approved sender name and free credit (once per phone). */
  async register(input: Registration, visitor: Visitor): Promise<{ id: string }> {
    if (this.config.REGISTRATION === 'closed')
      throw new AppError(
        'registration_closed',
        'Registration is closed. Contact the administrator of this installation.',
      );
    await take(withPoints(this.limit, this.config.REGISTRATION_LIMIT), visitor.network);
    await this.captcha.require(visitor.network, input.captcha);
    return this.open(input, this.config.REGISTRATION_CREDIT);
  }

  /** An account as the operator opens it: also with closed registration, without limits and without free credit. */
  openByOperator(input: NewAccount): Promise<{ id: string }> {
    return this.open(input, 0);
  }

  private async open(input: NewAccount, credit: number): Promise<{ id: string }> {
    const { username: name, password } = input;
    const faults = [
      await this.users.usernameFault(name),
      await this.passwords.fault(password, name),
    ];
    const found = faults.filter((fault) => fault !== null);
    if (found.length) throw invalidFields(found);
    const passwordHash = await hashPassword(password);
    return this.users.open({ ...input, passwordHash }, async ({ id, username, data }) => {
      await this.tariffs.giveDefaults(id);
      await this.sendernames.grant(id, this.config.REGISTRATION_SENDERNAME);
      await this.notifications.notify(id, 'AuthRegistration', { username });
      await this.credits.open(id, credit, data.phone ?? null);
    });
  }
}
