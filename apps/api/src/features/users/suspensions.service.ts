import { Injectable } from '@nestjs/common';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { ApiTokensStore } from '../../core/auth/api-tokens.store.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Rooms } from '../../core/events/rooms.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { AuthService } from '../auth/auth.service.ts';
import { TaskSuspensionsService } from '../tasks/task-suspensions.service.ts';
import { SuspensionsStore } from './suspensions.store.ts';
import type { User } from './user.entity.ts';
import { UsersService } from './users.service.ts';

/** Changes of an account's reseller or manager per hour: each is audited and notified. */
const LIMIT = 2000;

/**
 * Switches users off and on. An account holder takes its account along: its other users, API tokens and messages. Money and data
 * stay, and so do reports and replies that arrive.
 */
@Injectable()
export class SuspensionsService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly users: UsersService,
    private readonly store: SuspensionsStore,
    private readonly auth: AuthService,
    private readonly authenticator: Authenticator,
    private readonly tokens: ApiTokensStore,
    private readonly rooms: Rooms,
    private readonly tasks: TaskSuspensionsService,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly events: Events,
    limits: RateLimits,
  ) {
    this.limit = limits.of('suspensions', LIMIT, 3600);
  }

  suspend(actor: Actor, id: string, reason: string): Promise<User> {
    return this.change(actor, id, false, async ({ OwnerId, username }) => {
      // Tasks are locked before their owner, as everywhere.
      if (id === OwnerId) await this.tasks.suspend(OwnerId);
      await this.store.set(id, reason);
      await this.endAccess(id);
      await this.notifications.notify(OwnerId, 'AccountSuspended', { username, reason }, id);
    });
  }

  resume(actor: Actor, id: string): Promise<User> {
    return this.change(actor, id, true, (user) => this.activate(user));
  }

  /** Locks a user until the transaction ends: nobody else suspends, closes or reopens it. */
  lock(id: string): Promise<void> {
    return this.store.lock(id);
  }

  /** Closes a locked account: what a suspension stops, and its bulks stop for good. Returns how many. */
  async close({ OwnerId }: User, reason: string, at: Date): Promise<number> {
    const bulks = await this.tasks.stop(OwnerId);
    await this.store.close(OwnerId, reason, at);
    await this.endAccess(OwnerId);
    return bulks;
  }

  /** Opens a locked account again that was closed. */
  async reopen(user: User): Promise<void> {
    await this.store.reopen(user.OwnerId);
    await this.activate(user);
  }

  private async activate({ id, OwnerId, username }: User): Promise<void> {
    await this.store.set(id, null);
    await this.forgetTokens(await this.store.usersOf(id));
    if (id === OwnerId) await this.tasks.resume(OwnerId);
    await this.notifications.notify(OwnerId, 'AccountResumed', { username }, id);
  }

  /** The state that the user has is no change. */
  private async change(
    actor: Actor,
    id: string,
    isActive: boolean,
    work: (user: User) => Promise<void>,
  ): Promise<User> {
    await take(this.limit, actor.OwnerId);
    return this.db.transaction(async () => {
      await this.store.lock(id);
      const before = await this.users.administered(actor, id);
      if (before.closedAt) throw new AppError('conflict', 'The account is closed');
      if (before.isActive === isActive) return before;
      await work(before);
      const after = await this.users.administered(actor, id);
      const { OwnerId } = before;
      await this.audit.record({
        OwnerId,
        target: ['users', id],
        before: audited(before),
        after: audited(after),
      });
      this.events.changed('users', 'updated', OwnerId, id);
      return after;
    });
  }

  /** Ends sessions and closes sockets. Requests with API tokens are refused by the state of their user. */
  private async endAccess(id: string): Promise<void> {
    const users = await this.store.usersOf(id);
    for (const user of users) await this.auth.endAll(user);
    await this.forgetTokens(users);
  }

  /** All API processes look the tokens up again, and close their sockets. */
  private async forgetTokens(users: string[]): Promise<void> {
    const prefixes = await this.tokens.prefixesOf(users);
    this.db.afterCommit(() => {
      for (const prefix of prefixes) this.authenticator.invalidate(prefix);
      this.rooms.endSessions(prefixes);
    });
  }
}

const audited = ({ isActive, suspensionReason: reason }: User) => ({ isActive, reason });
