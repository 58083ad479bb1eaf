import { Injectable } from '@nestjs/common';
import type { SendingType } from '@heliograph/domain';
import { ChannelsService } from '../../channels/channels.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';

/** By which channel a message of an account goes, as it is made; it keeps the channel. Changes of groups count within a second. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly settings: SettingsService,
    private readonly channels: ChannelsService,
  ) {}

  /** The channel; `unavailable` when there is none. */
  async channelFor(OwnerId: string, type: SendingType): Promise<string> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    return (await this.channels.channelFor(type, routes)).name;
  }

  /** The same; undefined when there is none. */
  async activeChannel(OwnerId: string, type: SendingType): Promise<string | undefined> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    return (await this.channels.activeChannel(type, routes))?.name;
  }
}
