import { Injectable } from '@nestjs/common';
import { tokenPermissionsOf } from '@heliograph/contract';
import { LRUCache } from 'lru-cache';
import { Refusals } from '../audit/refusals.ts';
import { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { RequestRates } from '../http/request-rates.ts';
import type { TokenClient } from '../http/visitor.ts';
import { TtlCache } from '../ttl-cache.ts';
import { rightsOf, type Actor, type Holder } from './actor.ts';
import { isAllowedAddress } from './addresses.ts';
import { ApiTokensStore, type TokenRow } from './api-tokens.store.ts';
import { isSameSecret } from '../http/same-secret.ts';
import { parseToken } from './token-secret.ts';
import { TokenUses } from './token-uses.ts';

const MAX_KNOWN_TOKENS = 10_000;
const KNOWN_TOKEN_MS = 600_000;

/** Resolves an API token to an actor: its user with the permissions that the token was given and the user still has. */
@Injectable()
export class ApiTokens {
  /** By prefix. A change is seen by other processes after one second at the latest. */
  private readonly rows = new TtlCache((prefix: string) => this.load(prefix));
  /** Hashes of tokens that were valid lately. They are looked up even if others of their network guess. */
  private readonly known = new LRUCache<string, true>({
    max: MAX_KNOWN_TOKENS,
    ttl: KNOWN_TOKEN_MS,
  });

  constructor(
    private readonly store: ApiTokensStore,
    private readonly clock: Clock,
    private readonly uses: TokenUses,
    private readonly rates: RequestRates,
    private readonly refusals: Refusals,
  ) {}

  /** Throws the same `unauthorized` for a token that is unknown, expired, replaced or removed. */
  async actor(token: string, client: TokenClient, isFresh = false): Promise<Actor> {
    const given = parseToken(token);
    if (!given) throw new AppError('unauthorized');
    const { prefix, hash } = given;
    const key = hash.toString('base64');
    if (!this.known.has(key)) this.rates.refuseGuesses(client.ip);
    if (isFresh) this.invalidate(prefix);
    const row = await this.rows.get(prefix);
    const expected = row && this.valid(row, prefix)?.hash;
    if (!expected || !isSameSecret(hash, expected)) throw new AppError('unauthorized');
    this.known.set(key, true);
    return this.used(row, client);
  }

  /** The token of a prefix with the slow hash of its password over SMPP, if it is valid. */
  async bindOf(prefix: string): Promise<{ row: TokenRow; bindHash: string } | undefined> {
    const row = await this.load(prefix);
    const bindHash = row && this.valid(row, prefix)?.bindHash;
    return bindHash ? { row, bindHash } : undefined;
  }

  /** The actor of a token whose secret was verified. Throws for an address that it is not allowed from. */
  used(row: TokenRow, client: TokenClient): Actor {
    if (!isAllowedAddress(client.ip, row.ipWhitelist)) {
      this.refusals.address(row, client);
      const payload = { address: client.ip };
      throw new AppError('address_not_allowed', undefined, { payload });
    }
    this.uses.add(row, client.ip);
    return actorOf(row);
  }

  /** The actors of those sockets whose tokens are still valid, in the same order. */
  async actorsOf(sockets: { prefix: string; ip: string }[]): Promise<(Actor | undefined)[]> {
    if (!sockets.length) return [];
    const prefixes = new Set(sockets.map(({ prefix }) => prefix));
    const rows = await this.store.byPrefixes([...prefixes]);
    // Thousands of sockets are looked up every second, and many of them have the same token.
    const known = new Map<string, { row: TokenRow; actor: Actor }>();
    for (const row of rows) {
      const valid = [row.prefix, row.previousPrefix].filter(
        (prefix) => prefix !== null && prefixes.has(prefix) && this.valid(row, prefix),
      );
      if (!valid.length) continue;
      const one = { row, actor: actorOf(row) };
      for (const prefix of valid) known.set(prefix!, one);
    }
    return sockets.map(({ prefix, ip }) => {
      const one = known.get(prefix);
      return one && isAllowedAddress(ip, one.row.ipWhitelist) ? one.actor : undefined;
    });
  }

  invalidate(prefix: string): void {
    this.rows.invalidate(prefix);
  }

  private async load(prefix: string): Promise<TokenRow | undefined> {
    return (await this.store.byPrefixes([prefix]))[0];
  }

  /** The hashes of the secret with this prefix, unless the secret or the token has expired. */
  private valid(row: TokenRow, prefix: string): Pick<TokenRow, 'hash' | 'bindHash'> | null {
    const now = this.clock.now();
    if (row.expiredAt && row.expiredAt <= now) return null;
    if (row.prefix === prefix) return row;
    const { previousPrefix, previousUntil, previousHash, previousBindHash } = row;
    const isPrevious = previousPrefix === prefix && previousUntil! > now;
    return isPrevious ? { hash: previousHash!, bindHash: previousBindHash } : null;
  }
}

/** The permissions that a token was given and its user still has. */
export const rightsOfToken = (row: Holder & Pick<TokenRow, 'chosen' | 'isTest'>) =>
  rightsOf(row, (permissions) => tokenPermissionsOf(permissions, row.chosen, row.isTest));

function actorOf(row: TokenRow): Actor {
  const { tokenId, userId, username, OwnerId, level, role } = row;
  return {
    sessionId: tokenId,
    tokenId,
    userId,
    username,
    OwnerId,
    level,
    role,
    ...(row.isTest && { isTest: true }),
    actorId: null,
    // The second factor belongs to signing in.
    mustSetUpSecondFactor: false,
    ...rightsOfToken(row),
  };
}
