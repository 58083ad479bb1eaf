import { Injectable } from '@nestjs/common';
import { Db } from '../../../core/db/db.ts';
import type { OtpChannel } from '../settings/otp-channel.entity.ts';
import type { OtpTemplate } from '../settings/otp-template.entity.ts';

export type StepChannel = Pick<OtpChannel, 'name' | 'channelType' | 'additionalSettings'>;
export type StepTemplate = Pick<OtpTemplate, 'channelType' | 'conditions' | 'additionalSettings'>;
export interface StepSender {
  OwnerId: string;
  id: string;
  name: string;
}

@Injectable()
export class OtpStepsStore {
  constructor(private readonly db: Db) {}

  /** By priority. */
  channels(widgetIds: string[]): Promise<(StepChannel & { widgetId: string })[]> {
    return this.db.query(
      `select wc.widget_id as "widgetId", c.name, c.channel_type as "channelType", c.additional_settings as "additionalSettings"
         from otp_widget_channels wc join otp_channels c on c.id = wc.channel_id
        where wc.widget_id = any($1) order by wc.priority, c.id`,
      [widgetIds],
    );
  }

  /** Those with more conditions first, then the newest. */
  templates(owners: string[]): Promise<(StepTemplate & { OwnerId: string })[]> {
    return this.db.query(
      `select owner_id as "OwnerId", channel_type as "channelType", conditions, additional_settings as "additionalSettings"
         from otp_templates where owner_id = any($1) order by jsonb_array_length(conditions) desc, id desc`,
      [owners],
    );
  }

  /** Sender names that can be used, the oldest first. */
  senders(owners: string[]): Promise<StepSender[]> {
    return this.db.query(
      `select owner_id as "OwnerId", id, name from sendernames where owner_id = any($1) and is_active and moderation = 'approved' order by id`,
      [owners],
    );
  }
}
