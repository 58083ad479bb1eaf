import { Injectable } from '@nestjs/common';
import type { otpWidgets } from '@heliograph/contract';
import type { OtpChannelType } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../../core/db/find-page.ts';
import { Store } from '../../../core/db/store.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../../core/quotas.ts';
import { OtpWidget, type WidgetChannel } from './otp-widget.entity.ts';

type Query = In<typeof otpWidgets.find>['query'];
interface ChannelRow {
  widgetId: string;
  id: string;
  priority: number;
  name: string;
  channelType: OtpChannelType;
}

export const OTP_WIDGETS_QUOTA: Quota = {
  name: 'otpWidgets',
  limit: (config) => config.QUOTA_OTP,
  used: countOf('otp_widgets'),
};

@Injectable()
export class OtpWidgetsStore extends Store<OtpWidget, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'w.createdAt', name: 'w.name' },
    filter: { OwnerId: equals('w.owner_id') },
    range: { createdAt: 'w.created_at' },
    search: contains('w.name'),
  };

  constructor(db: Db) {
    super(db, OtpWidget, 'w');
  }

  /** Switches a widget off, unless it has been changed since. False if it was off. */
  async stop({ id, TokenId }: Pick<OtpWidget, 'id' | 'TokenId'>): Promise<boolean> {
    const stopped = await this.db.execute(
      `update otp_widgets set is_active = false, updated_at = now() where id = $1 and token_id = $2 and is_active`,
      [id, TokenId],
    );
    return stopped > 0;
  }

  /** The channels of widgets, by widget, in the order of their priorities. */
  async channelsOf(widgetIds: string[]): Promise<Map<string, WidgetChannel[]>> {
    const rows = await this.db.query<ChannelRow>(
      `select wc.widget_id as "widgetId", c.id, wc.priority, c.name, c.channel_type as "channelType"
         from otp_widget_channels wc join otp_channels c on c.id = wc.channel_id
        where wc.widget_id = any($1) order by wc.priority, c.id`,
      [widgetIds],
    );
    const byWidget = new Map<string, WidgetChannel[]>(widgetIds.map((id) => [id, []]));
    for (const { widgetId, id, priority, name, channelType } of rows)
      byWidget.get(widgetId)!.push({
        otpChannelSettingsId: id,
        priority,
        otpChannelSettings: { name, channelType },
      });
    return byWidget;
  }

  /** The caller has locked the widget. `channelIds` are in their order. */
  async setChannels(widgetId: string, channelIds: string[]): Promise<void> {
    await this.db.query(`delete from otp_widget_channels where widget_id = $1`, [widgetId]);
    await this.db.query(
      `insert into otp_widget_channels (widget_id, channel_id, priority)
       select $1, id, n from unnest($2::uuid[]) with ordinality as c(id, n)`,
      [widgetId, channelIds],
    );
  }
}
