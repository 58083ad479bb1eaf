import { Injectable } from '@nestjs/common';
import type { otpChannels } from '@heliograph/contract';
import { Db } from '../../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../../core/quotas.ts';
import { OtpChannel } from './otp-channel.entity.ts';

type Query = In<typeof otpChannels.find>['query'];

export const OTP_CHANNELS_QUOTA: Quota = {
  name: 'otpChannels',
  limit: (config) => config.QUOTA_OTP,
  used: countOf('otp_channels'),
};

@Injectable()
export class OtpChannelsStore extends Store<OtpChannel, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'c.createdAt', name: 'c.name' },
    filter: { OwnerId: equals('c.owner_id'), channelType: equals('c.channel_type') },
    range: { createdAt: 'c.created_at' },
    search: contains('c.name'),
  };

  constructor(db: Db) {
    super(db, OtpChannel, 'c');
  }
}
