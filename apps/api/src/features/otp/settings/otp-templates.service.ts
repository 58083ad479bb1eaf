import { Injectable } from '@nestjs/common';
import { EFFECTS, type otpTemplates } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { requireAll, type Actor } from '../../../core/auth/actor.ts';
import { refuseChangesOf } from '../../../core/changes.ts';
import { Db } from '../../../core/db/db.ts';
import { invalid } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Quotas } from '../../../core/quotas.ts';
import type { OtpTemplate } from './otp-template.entity.ts';
import { OTP_TEMPLATES_QUOTA, OtpTemplatesStore } from './otp-templates.store.ts';

type Input = In<typeof otpTemplates.create>['body'];
type Changes = In<typeof otpTemplates.update>['body'];

@Injectable()
export class OtpTemplatesService {
  constructor(
    private readonly db: Db,
    private readonly store: OtpTemplatesStore,
    private readonly quotas: Quotas,
  ) {}

  create(actor: Actor, input: Input): Promise<OtpTemplate> {
    requireAll(actor, EFFECTS.otpSettings.code);
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      await this.checkSender(OwnerId, input);
      const row = await this.store.create({ ...input, OwnerId });
      await this.quotas.check(OTP_TEMPLATES_QUOTA, OwnerId);
      return row;
    });
  }

  /** Lists and objects are replaced as a whole. */
  update(actor: Actor, id: string, { channelType, ...changes }: Changes): Promise<OtpTemplate> {
    requireAll(actor, EFFECTS.otpSettings.code);
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      refuseChangesOf(row, { channelType });
      await this.checkSender(row.OwnerId, changes);
      return this.store.update(actor.scope, id, changes);
    });
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    await this.store.remove(actor.scope, id);
    return { id };
  }

  /** With the id of a sender name that the account has not, no code could be sent. */
  private async checkSender(OwnerId: string, { additionalSettings }: Changes): Promise<void> {
    const id = additionalSettings?.senderId;
    if (id && isUuid(id) && !(await this.store.ownsSendername(OwnerId, id)))
      throw invalid(
        'additionalSettings.senderId',
        'sender_not_approved',
        'The account has no such sender name',
      );
  }
}
