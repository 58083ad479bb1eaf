import { Injectable } from '@nestjs/common';
import { canAll, type Permission } from '@heliograph/contract';
import { Clock } from '../clock.ts';
import { isWithin, type Rights } from './actor.ts';
import { rightsOfToken } from './api-tokens.ts';
import { ApiTokensStore } from './api-tokens.store.ts';
import { Owners } from './owners.ts';

/** What was configured, and acts later in the name of an API token; null: of the account itself. */
export interface Configured {
  OwnerId: string;
  TokenId: string | null;
}

/** Whether what was configured may act with these permissions now. */
export type MayAct = (one: Configured, needs: readonly Permission[]) => boolean;

/**
 * What a token has configured acts with the permissions that the token has at that moment: none any more if it was removed, has expired, or
 * its user or account is inactive. docs/decisions/054-what-tokens-leave-behind.md.
 */
@Injectable()
export class ActingTokens {
  constructor(
    private readonly store: ApiTokensStore,
    private readonly owners: Owners,
    private readonly clock: Clock,
  ) {}

  async of(all: readonly Configured[]): Promise<MayAct> {
    const ids = [...new Set(all.flatMap(({ TokenId }) => TokenId ?? []))];
    if (!ids.length) return () => true;
    const tokens = await this.rightsOf(ids);
    const managers = new Map(
      await Promise.all(
        [...new Set(all.filter(({ TokenId }) => TokenId).map(({ OwnerId }) => OwnerId))].map(
          async (OwnerId) => [OwnerId, await this.owners.managersOf(OwnerId)] as const,
        ),
      ),
    );
    return ({ OwnerId, TokenId }, needs) => {
      if (TokenId === null) return true;
      const token = tokens.get(TokenId);
      const isInScope = token && isWithin(token.scope, { OwnerId, ...managers.get(OwnerId)! });
      return !!isInScope && canAll(token.permissions, needs);
    };
  }

  /** The rights of those of the tokens that are valid. */
  async rightsOf(ids: string[]): Promise<Map<string, Rights>> {
    const now = this.clock.now();
    const valid = (await this.store.byIds(ids)).filter(
      ({ expiredAt }) => !expiredAt || expiredAt > now,
    );
    return new Map(valid.map((row) => [row.tokenId, rightsOfToken(row)]));
  }

  async mayAct(one: Configured, needs: readonly Permission[]): Promise<boolean> {
    return (await this.of([one]))(one, needs);
  }
}
