import { Injectable } from '@nestjs/common';
import { Refusals } from '../../core/audit/refusals.ts';
import { verifyPassword } from '../../core/auth/passwords.ts';
import { AppError } from '../../core/errors.ts';
import type { TokenClient } from '../../core/http/visitor.ts';
import { LoginLimit } from './login-limit.ts';

/** Passwords by which programs sign in without a browser, under the limits of signing in. */
@Injectable()
export class PasswordChecks {
  constructor(
    private readonly limit: LoginLimit,
    private readonly refusals: Refusals,
  ) {}

  /** Throws `wrong_credentials` or `rate_limited`. `hash` and `user` are undefined for a name that nobody has. */
  async verify(
    name: string,
    password: string,
    hash: string | undefined,
    user: { id: string; OwnerId: string } | undefined,
    client: TokenClient,
  ): Promise<void> {
    await this.limit.take(name, client.network, null).catch((error: unknown) => {
      this.refusals.login('auth.limited', undefined, client);
      throw error;
    });
    if (!(await verifyPassword(hash, password))) {
      this.refusals.login('auth.failed', user, client);
      throw new AppError('wrong_credentials');
    }
    await this.limit.succeeded(name, client.network, null);
  }
}
