import { Injectable } from '@nestjs/common';
import type { otpTemplates } from '@heliograph/contract';
import { Db } from '../../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../../core/quotas.ts';
import { OtpTemplate } from './otp-template.entity.ts';

type Query = In<typeof otpTemplates.find>['query'];

export const OTP_TEMPLATES_QUOTA: Quota = {
  name: 'otpTemplates',
  limit: (config) => config.QUOTA_OTP,
  used: countOf('otp_templates'),
};

@Injectable()
export class OtpTemplatesStore extends Store<OtpTemplate, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 't.createdAt', name: 't.name' },
    filter: { OwnerId: equals('t.owner_id'), channelType: equals('t.channel_type') },
    range: { createdAt: 't.created_at' },
    search: contains('t.name'),
  };

  constructor(db: Db) {
    super(db, OtpTemplate, 't');
  }

  async ownsSendername(OwnerId: string, id: string): Promise<boolean> {
    const rows = await this.db.query(`select 1 from sendernames where id = $1 and owner_id = $2`, [
      id,
      OwnerId,
    ]);
    return rows.length > 0;
  }
}
