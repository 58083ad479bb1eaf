import { Injectable } from '@nestjs/common';
import type { Registration } from '@heliograph/contract';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { hashPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SendernamesService } from '../sendernames/sendernames.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { UsersService } from '../users/users.service.ts';

/** Attempts in an hour from an address. */
const LIMIT = 20;

@Injectable()
export class RegistrationService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly config: Config,
    private readonly users: UsersService,
    private readonly tariffs: TariffsService,
    private readonly billings: BillingsService,
    private readonly sendernames: SendernamesService,
    private readonly notifications: Notifications,
    limits: RateLimits,
  ) {
    this.limit = limits.of('registration', LIMIT, 3600);
  }

  /** An account with prices, a credit for first messages and a sender name to send them from. */
  async register(input: Registration, visitor: Visitor): Promise<{ id: string }> {
    await take(this.limit, visitor.network);
    const passwordHash = await hashPassword(input.password);
    return this.users.open({ ...input, passwordHash }, async ({ id, username }) => {
      await this.tariffs.giveDefaults(id);
      await this.sendernames.grant(id, this.config.REGISTRATION_SENDERNAME);
      await this.notifications.tell(id, 'AuthRegistration', { username });
      await this.billings.open(id, this.config.REGISTRATION_CREDIT);
    });
  }
}
