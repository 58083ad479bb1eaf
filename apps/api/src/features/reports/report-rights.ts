import { Injectable } from '@nestjs/common';
import { can, canAll, EFFECTS, REPORT_PRESETS, type ReportPreset } from '@heliograph/contract';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { rightsOf, type AccessScope, type Rights } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';

export class ForbiddenError extends Error {}

/** Whose rights a report has. */
interface Requester {
  UserId: string;
  TokenId: string | null;
  preset: ReportPreset;
}

/** What users and their tokens may report on, when a report is made in their name. */
@Injectable()
export class ReportRights {
  constructor(
    private readonly owners: Owners,
    private readonly tokens: ActingTokens,
  ) {}

  /** As they are now. Throws if the user, the account or the token is inactive, or may no longer make this report. */
  async scopeOf(requester: Requester): Promise<AccessScope> {
    const { preset } = requester;
    const rights = await this.of(requester);
    const { can: needed, accept } = REPORT_PRESETS[preset];
    if (
      !rights ||
      !canAll(rights.permissions, EFFECTS.report[preset]) ||
      !can(rights.permissions, needed, accept)
    )
      throw new ForbiddenError();
    return rights.scope;
  }

  private async of({ UserId, TokenId }: Requester): Promise<Rights | null | undefined> {
    if (TokenId) return (await this.tokens.rightsOf([TokenId])).get(TokenId);
    const holder = await this.owners.holder(UserId);
    return holder && rightsOf(holder);
  }
}
