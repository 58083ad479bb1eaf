import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import type { OtpChannel } from '../settings/otp-channel.entity.ts';
import type { OtpTemplate } from '../settings/otp-template.entity.ts';

export type StepChannel = Pick<OtpChannel, 'name' | 'channelType' | 'additionalSettings'>;
export type StepTemplate = Pick<OtpTemplate, 'channelType' | 'conditions' | 'additionalSettings'>;

@Injectable()
export class OtpStepsStore {
  constructor(private readonly db: Db) {}

  /** By priority. */
  channels(widgetId: string): Promise<StepChannel[]> {
    return this.db.query(
      `select c.name, c.channel_type as "channelType", c.additional_settings as "additionalSettings"
         from otp_widget_channels wc join otp_channels c on c.id = wc.channel_id
        where wc.widget_id = $1 order by wc.priority, c.id`,
      [widgetId],
    );
  }

  /** Those with more conditions first, then the newest. */
  templates(OwnerId: string): Promise<StepTemplate[]> {
    return this.db.query(
      `select channel_type as "channelType", conditions, additional_settings as "additionalSettings" from otp_templates
        where owner_id = $1 order by jsonb_array_length(conditions) desc, id desc`,
      [OwnerId],
    );
  }

  /** Sender names that can be used, the oldest first. */
  senders(OwnerId: string): Promise<{ id: string; name: string }[]> {
    return this.db.query(
      `select id, name from sendernames where owner_id = $1 and is_active and moderation = 'approved' order by id`,
      [OwnerId],
    );
  }
}
