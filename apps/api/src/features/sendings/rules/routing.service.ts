import { Injectable } from '@nestjs/common';
import type { SendingType } from '@heliograph/domain';
import { ChannelsService } from '../../channels/channels.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';

/** Selects the channel of a new message by its account's routes. The message keeps the channel. Changed routes apply within a second. */
@Injectable()
export class RoutingService {
  constructor(
    private readonly settings: SettingsService,
    private readonly channels: ChannelsService,
  ) {}

  /** Throws `unavailable` when no active channel takes the type. */
  async channelFor(OwnerId: string, type: SendingType): Promise<string> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    return (await this.channels.channelFor(type, routes)).name;
  }

  /** Undefined when no active channel takes the type. */
  async activeChannel(OwnerId: string, type: SendingType): Promise<string | undefined> {
    const { routes } = await this.settings.sendingRules(OwnerId);
    return (await this.channels.activeChannel(type, routes))?.name;
  }
}
