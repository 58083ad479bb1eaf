import { Injectable } from '@nestjs/common';
import type { otpTemplates } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Quotas } from '../../../core/quotas.ts';
import type { OtpTemplate } from './otp-template.entity.ts';
import { OTP_TEMPLATES_QUOTA, OtpTemplatesStore } from './otp-templates.store.ts';

@Injectable()
export class OtpTemplatesService {
  constructor(
    private readonly db: Db,
    private readonly store: OtpTemplatesStore,
    private readonly quotas: Quotas,
  ) {}

  create({ OwnerId }: Actor, input: In<typeof otpTemplates.create>['body']): Promise<OtpTemplate> {
    return this.db.transaction(async () => {
      const row = await this.store.create({ ...input, OwnerId });
      await this.quotas.check(OTP_TEMPLATES_QUOTA, OwnerId);
      return row;
    });
  }

  /** Lists and objects are replaced as a whole. */
  update(
    actor: Actor,
    id: string,
    changes: In<typeof otpTemplates.update>['body'],
  ): Promise<OtpTemplate> {
    return this.store.update(actor.scope, id, changes);
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    await this.store.remove(actor.scope, id);
    return { id };
  }
}
