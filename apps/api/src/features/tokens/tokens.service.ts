import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TEST_TOKEN_PERMISSIONS, type Permission, type tokens } from '@heliograph/contract';
import { latestTokenExpiry, tokenExpiryError } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { may, refuseImpersonated, systemScope, type Actor } from '../../core/auth/actor.ts';
import { isAmbiguousRange, normalizeRange } from '../../core/auth/addresses.ts';
import { Authenticator } from '../../core/auth/authenticator.ts';
import { Owners } from '../../core/auth/owners.ts';
import { hashPassword } from '../../core/auth/passwords.ts';
import { bindPassword, newTokenSecret } from '../../core/auth/token-secret.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { Rooms } from '../../core/events/rooms.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Notifications } from '../../core/notifications.ts';
import { Quotas } from '../../core/quotas.ts';
import { present, type Token } from './token.entity.ts';
import { TOKENS_QUOTA, TokensStore } from './tokens.store.ts';

type Input = In<typeof tokens.create>['body'];
type Changes = In<typeof tokens.update>['body'];
type Rotation = In<typeof tokens.rotate>['body'];
type WithSecret = { row: Token; token: string };

const DAY_MS = 86_400_000;

@Injectable()
export class TokensService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: TokensStore,
    private readonly owners: Owners,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly authenticator: Authenticator,
    private readonly rooms: Rooms,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'tokens',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  async create(actor: Actor, input: Input): Promise<WithSecret> {
    const { userId: UserId, OwnerId } = actor;
    const values = { ...input, ...this.checked(actor, input, input) };
    const { token, ...secret } = await newSecret();
    return this.db.transaction(async () => {
      const row = await this.store.create({ ...values, ...secret, UserId, OwnerId });
      if (row.isTest) await this.store.noteTest(row.id);
      await this.quotas.check(TOKENS_QUOTA, OwnerId);
      const { id, description, prefix } = row;
      await this.audit.record({ OwnerId, target: ['tokens', id], after: facts(row) });
      await this.notifications.notify(OwnerId, 'TokenCreated', { id, description, prefix });
      this.events.changed('tokens', 'created', OwnerId, id);
      return { row, token };
    });
  }

  /** A changed expiry is announced anew. */
  update(actor: Actor, id: string, changes: Changes): Promise<Token> {
    return this.db.transaction(async () => {
      const row = await this.lockOwn(actor, id);
      const before = facts(row);
      const values = this.checked(actor, changes, row, row);
      const { expiredAt } = values;
      const isNewExpiry =
        expiredAt !== undefined && expiredAt?.getTime() !== row.expiredAt?.getTime();
      const changed = await this.store.update(actor.scope, id, {
        ...changes,
        ...values,
        ...(isNewExpiry && { expiringNotifiedAt: null, expiredNotifiedAt: null }),
      });
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['tokens', id], before, after: facts(changed) });
      this.events.changed('tokens', 'updated', OwnerId, id);
      this.invalidateLater(prefixesOf(row));
      return changed;
    });
  }

  /**
   * Replaces the secret. With an overlap the former one stays valid for so long, so that its users can be changed one by one.
   * There are at most two valid secrets: a third one is refused, unless the former ones end at once.
   */
  async rotate(actor: Actor, id: string, { overlapDays, prefix }: Rotation): Promise<WithSecret> {
    const { token, ...secret } = await newSecret();
    return this.db.transaction(async () => {
      const row = await this.lockOwn(actor, id);
      const { OwnerId, previousUntil, expiredAt } = row;
      const now = this.clock.now();
      if (prefix !== undefined && prefix !== row.prefix)
        throw new AppError('conflict', 'The secret has been replaced already');
      if (expiredAt && expiredAt <= now)
        throw new AppError('conflict', 'The token has expired. Change its expiry first.');
      if (overlapDays && previousUntil && previousUntil > now)
        throw new AppError(
          'conflict',
          'The secret before this one is still valid. Wait until it ends, or rotate without an overlap.',
          { payload: { validUntil: previousUntil.toISOString() } },
        );
      const end = now.getTime() + overlapDays * DAY_MS;
      const until = overlapDays ? new Date(Math.min(end, expiredAt?.getTime() ?? end)) : null;
      await this.store.replaceSecret(id, secret, until);
      const after = { prefix: secret.prefix, overlapDays };
      const before = { prefix: row.prefix };
      await this.audit.record({ OwnerId, target: ['tokens', id], before, after });
      this.events.changed('tokens', 'updated', OwnerId, id);
      if (until) this.invalidateLater([row.prefix]);
      else this.endLater(prefixesOf(row));
      return { row: await this.store.get(actor.scope, id), token };
    });
  }

  /** Possible for the token's user, the account holder, and those who manage the account. */
  remove(actor: Actor, id: string): Promise<{ id: string }> {
    refuseImpersonated(actor);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const isForeign = row.OwnerId !== actor.OwnerId;
      if (row.UserId !== actor.userId && row.OwnerId !== actor.userId && !isForeign)
        throw new AppError('forbidden', 'Only its user and the account holder can remove a token');
      await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['tokens', id], before: facts(row) });
      this.events.changed('tokens', 'removed', OwnerId, id);
      this.endLater(prefixesOf(row));
      return { id };
    });
  }

  /** Only the user itself may change its tokens: another user could give a token other rights or read its secret. */
  private async lockOwn(actor: Actor, id: string): Promise<Token> {
    const row = await this.store.lock(actor.scope, id);
    if (row.UserId !== actor.userId)
      throw new AppError('forbidden', 'Only the user of a token can change it');
    return row;
  }

  /** The values to store. Permissions that the token has already may stay although the user has lost them. */
  private checked(actor: Actor, input: Changes, { isTest }: Pick<Token, 'isTest'>, before?: Token) {
    const { permissions, ipWhitelist } = input;
    const live = isTest
      ? (permissions?.findIndex((name) => !TEST_TOKEN_PERMISSIONS.includes(name)) ?? -1)
      : -1;
    if (live >= 0)
      throw invalid(`permissions.${live}`, 'test_token', 'A test token can only read and send.');
    const isMissing = (name: Permission) =>
      !may(actor, name) && !before?.permissions?.includes(name);
    const missing = permissions?.findIndex(isMissing) ?? -1;
    if (missing >= 0)
      throw invalid(`permissions.${missing}`, 'permission', 'You do not have this permission.');
    const ambiguous = ipWhitelist?.findIndex(isAmbiguousRange) ?? -1;
    if (ambiguous >= 0)
      throw invalid(
        `ipWhitelist.${ambiguous}`,
        'ip_range',
        'Write IPv4 addresses without an IPv6 prefix, or with ::ffff: and at least 96 bits.',
      );
    return {
      expiredAt: this.checkedExpiry(input, before),
      permissions: permissions && [...new Set(permissions)],
      ipWhitelist: ipWhitelist && [...new Set(ipWhitelist.map(normalizeRange))],
    };
  }

  private checkedExpiry({ expiredAt }: Changes, before?: Token): Date | null | undefined {
    if (typeof expiredAt !== 'string') return expiredAt;
    const now = this.clock.now();
    const expiry = new Date(expiredAt);
    if (expiry.getTime() === before?.expiredAt?.getTime()) return expiry;
    const rule = tokenExpiryError(expiry, now);
    if (rule === 'past') throw invalid('expiredAt', rule, 'The expiry must be in the future.');
    if (rule === 'far')
      throw invalid('expiredAt', rule, 'The expiry must be at most one year ahead.');
    const latest = latestTokenExpiry(now);
    return expiry > latest ? latest : expiry;
  }

  private invalidateLater(prefixes: string[]): void {
    this.db.afterCommit(() => {
      for (const prefix of prefixes) this.authenticator.invalidate(prefix);
    });
  }

  /** After the commit, all API processes drop the cached token and its sockets. */
  private endLater(prefixes: string[]): void {
    this.invalidateLater(prefixes);
    this.db.afterCommit(() => this.rooms.endSessions(prefixes));
  }
}

/** A new secret with what is stored of it. */
async function newSecret() {
  const secret = newTokenSecret();
  return { ...secret, bindHash: await hashPassword(bindPassword(secret.token)) };
}

const prefixesOf = ({ prefix, previousPrefix }: Token) =>
  previousPrefix ? [prefix, previousPrefix] : [prefix];

/** The fields of the audit log. */
function facts({ description, prefix, ipWhitelist, permissions, expiredAt, isTest }: Token) {
  return { description, prefix, ipWhitelist, permissions, expiredAt, ...(isTest && { isTest }) };
}
