import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { LEVELS, type Credentials, type Session } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { verifyPassword } from '../../core/auth/passwords.ts';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { TelemetryService } from '../telemetry/telemetry.service.ts';
import { AuthStore } from './auth.store.ts';
import { Devices } from './devices.ts';
import { LoginLimit } from './login-limit.ts';

@Injectable()
export class AuthService {
  constructor(
    private readonly db: Db,
    private readonly store: AuthStore,
    private readonly limit: LoginLimit,
    private readonly devices: Devices,
    private readonly telemetry: TelemetryService,
    private readonly jwt: JwtService,
    private readonly key: SessionKey,
    private readonly authenticator: Authenticator,
    private readonly config: Config,
  ) {}

  /** The session, and the headers that say how many attempts are left. */
  async login(
    { username, password }: Credentials,
    visitor: Visitor,
  ): Promise<{ session: Session; headers: Record<string, string> }> {
    const device = await this.devices.recognise(visitor.cookies, username);
    const left = await this.limit.take(username, visitor.network, device);
    const user = await this.store.byUsername(username);
    if (!(await verifyPassword(user?.passwordHash, password)) || !user)
      throw new AppError('wrong_credentials', undefined, { headers: left });
    const headers = await this.limit.succeeded(username, visitor.network, device);
    const cookie = await this.devices.remember(device, username);
    return {
      session: await this.open(user, null, visitor),
      headers: { ...headers, 'set-cookie': cookie },
    };
  }

  /** A fresh session for a valid one, which ends. */
  renew(actor: Actor, visitor: Visitor): Promise<Session> {
    return this.db.transaction(async () => {
      await this.store.revoke([actor.sessionId]);
      this.authenticator.forget(actor.sessionId);
      return this.open({ id: actor.userId, username: actor.username }, actor.actorId, visitor);
    });
  }

  /** Only downwards, and not twice in a row: nobody borrows the rights of an equal. The account's visits say who came. */
  async loginAs(actor: Actor, userId: string, visitor: Visitor): Promise<Session> {
    if (actor.actorId) throw new AppError('forbidden', 'Return to your own account first');
    const user = await this.store.within(actor.reach, userId);
    if (user.id === actor.userId) throw new AppError('conflict', 'This is your own account');
    if (LEVELS.indexOf(user.level) >= LEVELS.indexOf(actor.level)) throw new AppError('forbidden');
    return this.db.transaction(async () => {
      const visit = { action: 'loginAs', data: { actorId: actor.userId }, UserId: user.id };
      await this.telemetry.record({ ...visit, OwnerId: user.OwnerId }, visitor);
      return this.open(user, actor.userId, visitor);
    });
  }

  async logout(actor: Actor, everywhere: boolean): Promise<number> {
    const ended = everywhere
      ? await this.store.revokeAll(actor.userId)
      : await this.store.revoke([actor.sessionId]);
    this.authenticator.forget(actor.sessionId);
    return ended;
  }

  /** The password is another: nobody stays signed in by the former one. */
  async endAll(userId: string): Promise<void> {
    await this.store.revokeAll(userId);
  }

  /** Its failures count no longer: whoever asks has proved to be the user. */
  async forgive(username: string, { cookies, network }: Visitor): Promise<void> {
    const device = await this.devices.recognise(cookies, username);
    await this.limit.forgive(username, device ? [device, network] : [network]);
  }

  private async open(
    user: { id: string; username: string },
    actorId: string | null,
    visitor: Visitor,
  ): Promise<Session> {
    const sid = await this.store.open(user.id, actorId, visitor, this.config.SESSION_SECONDS);
    const token = await this.jwt.signAsync(
      { sub: user.id, sid },
      { secret: await this.key.get(), expiresIn: this.config.SESSION_SECONDS },
    );
    return { token, id: user.id, username: user.username };
  }
}
