import { Injectable } from '@nestjs/common';
import { canAll, type Permission } from '@heliograph/contract';
import { ActingTokens, type Configured } from './acting-tokens.ts';
import { rightsOf, type Actor } from './actor.ts';
import { Owners } from './owners.ts';

/** What a user has configured, and acts later with the rights of this user, narrowed by the API token of the call. */
export interface ConfiguredByUser extends Configured {
  id: string;
  UserId: string;
}

/** Users in whose names workers act. */
@Injectable()
export class ActingUsers {
  constructor(
    private readonly tokens: ActingTokens,
    private readonly owners: Owners,
  ) {}

  /** The user with the rights of now; null if they may no longer do this for the account. */
  async of(
    { id, UserId, TokenId: tokenId, OwnerId }: ConfiguredByUser,
    needs: readonly Permission[],
  ): Promise<Actor | null> {
    const holder = await this.owners.holder(UserId);
    if (!holder) return null;
    const rights = tokenId
      ? (await this.tokens.rightsOf([tokenId])).get(tokenId)
      : rightsOf(holder);
    if (!rights || !canAll(rights.permissions, needs)) return null;
    if (!(await this.owners.within(rights.scope, OwnerId))) return null;
    const { level, role } = holder;
    return {
      userId: UserId,
      OwnerId: holder.OwnerId,
      username: await this.owners.usernameOf(UserId),
      level,
      role,
      sessionId: id,
      tokenId,
      actorId: null,
      mustSetUpSecondFactor: false,
      ...rights,
    };
  }
}
