import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '@heliograph/contract';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { ownScope, rightsOf, type Actor } from '../../core/auth/actor.ts';
import { ApiTokens } from '../../core/auth/api-tokens.ts';
import { parseBind } from '../../core/auth/token-secret.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import type { TokenClient } from '../../core/http/visitor.ts';
import { PasswordChecks } from '../auth/password-checks.service.ts';
import { LoginsStore, type UserLogin } from './logins.store.ts';

/** Who is bound, and what is looked up while it is. */
export interface Login {
  actor: Actor;
  ip: string;
  by: { prefix: string } | { userId: string; passwordHash: string };
}

const MAX_KNOWN = 10_000;
const KNOWN_MS = 600_000;

/** Binds of API tokens, and of users by their password, under the same limits as signing in. */
@Injectable()
export class LoginsService {
  /** The stored hash that a name with its password was verified against. Sessions that bind again are not counted as guesses. */
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  /** The last bind of a name: several sessions that bind at once are verified one after the other, and so once. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: LoginsStore,
    private readonly tokens: ApiTokens,
    private readonly checks: PasswordChecks,
    private readonly rates: RequestRates,
    private readonly config: Config,
  ) {}

  /** Throws for credentials that are wrong, or not allowed here or now. */
  async bind(systemId: string, password: string, client: TokenClient): Promise<Login> {
    const name = systemId.toLowerCase();
    const before = this.last.get(name);
    const login = (async () => {
      await before?.catch(() => {});
      return this.login(systemId, password, client);
    })();
    this.last.set(name, login);
    try {
      return await login;
    } catch (error) {
      this.rates.countSocketRefusal(error, client.ip);
      throw error;
    } finally {
      if (this.last.get(name) === login) this.last.delete(name);
    }
  }

  /** The present rights of those who are bound, in the same order; undefined for who may not be bound any more. */
  async current(logins: Login[]): Promise<(Actor | undefined)[]> {
    const tokens = logins.flatMap(({ by, ip }) => ('prefix' in by ? [{ ...by, ip }] : []));
    const users = logins.flatMap(({ by }) => ('userId' in by ? [by.userId] : []));
    const ofTokens = await this.tokens.actorsOf(tokens);
    const rows = users.length ? await this.store.byIds([...new Set(users)]) : [];
    const byUser = new Map(
      rows.flatMap((row) =>
        this.needsMore(row) ? [] : [[row.userId, { row, actor: actorOf(row) }]],
      ),
    );
    return logins.map(({ by }) => {
      if ('prefix' in by) {
        const actor = ofTokens.shift();
        return actor && narrowed(actor);
      }
      const user = byUser.get(by.userId);
      return user?.row.passwordHash === by.passwordHash ? user.actor : undefined;
    });
  }

  private async login(systemId: string, password: string, client: TokenClient): Promise<Login> {
    const { ip } = client;
    const given = parseBind(systemId, password);
    if (given && 'token' in given) {
      const actor = await this.tokens.actor(given.token, client, true);
      return { actor: narrowed(actor), ip, by: { prefix: given.prefix } };
    }
    if (given) {
      const found = await this.tokens.bindOf(given.prefix);
      const user = found && { id: found.row.userId, OwnerId: found.row.OwnerId };
      await this.verify(systemId, password, found?.bindHash, user, client);
      return {
        actor: narrowed(this.tokens.used(found!.row, client)),
        ip,
        by: { prefix: given.prefix },
      };
    }
    const row = await this.store.byUsername(systemId);
    const user = row && { id: row.userId, OwnerId: row.OwnerId };
    await this.verify(systemId, password, row?.passwordHash, user, client);
    const more = this.needsMore(row!);
    if (more) throw new AppError(more);
    const { userId, passwordHash } = row!;
    return { actor: actorOf(row!), ip, by: { userId, passwordHash } };
  }

  private async verify(
    systemId: string,
    password: string,
    hash: string | undefined,
    user: { id: string; OwnerId: string } | undefined,
    client: TokenClient,
  ): Promise<void> {
    const key = createHash('sha256')
      .update(JSON.stringify([systemId, password]))
      .digest('base64');
    if (hash !== undefined && this.known.get(key) === hash) return;
    await this.checks.verify(systemId, password, hash, user, client);
    this.known.set(key, hash!);
  }

  /** What a bind has no place for: a code, or a visit of an identity provider. Such a user binds with an API token. */
  private needsMore({ level, hasSecondFactor, needsIdentity }: UserLogin): ErrorCode | undefined {
    if (needsIdentity) return 'identity_required';
    const isRequired = this.config.SECOND_FACTOR_REQUIRED.includes(level);
    return hasSecondFactor || isRequired ? 'second_factor_required' : undefined;
  }
}

/** Over SMPP an account sees itself alone, not the accounts that it looks after. */
const narrowed = (actor: Actor): Actor => ({ ...actor, scope: ownScope(actor.OwnerId) });

function actorOf(row: UserLogin): Actor {
  const { userId, username, OwnerId, level, role } = row;
  return narrowed({
    sessionId: userId,
    tokenId: null,
    userId,
    username,
    OwnerId,
    level,
    role,
    actorId: null,
    mustSetUpSecondFactor: false,
    ...rightsOf(row),
  });
}
