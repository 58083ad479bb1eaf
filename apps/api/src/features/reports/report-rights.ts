import { Injectable } from '@nestjs/common';
import { can, REPORT_PRESETS, type ReportPreset } from '@heliograph/contract';
import { rightsOf, type AccessScope } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';

export class ForbiddenError extends Error {}

/** What users may report on, when a report is made in their name. */
@Injectable()
export class ReportRights {
  constructor(private readonly owners: Owners) {}

  /** Of the user as it is now. Throws if the user or the account is inactive, or may no longer make this report. */
  async scopeOf({
    UserId,
    preset,
  }: {
    UserId: string;
    preset: ReportPreset;
  }): Promise<AccessScope> {
    const holder = await this.owners.holder(UserId);
    if (!holder) throw new ForbiddenError();
    const { permissions, scope } = rightsOf(holder);
    const needed = REPORT_PRESETS[preset];
    if (!can(permissions, 'reports.create') || !can(permissions, needed.can, needed.accept))
      throw new ForbiddenError();
    return scope;
  }
}
