import { Controller } from '@nestjs/common';
import { channels, type Answer, type Channel } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ChannelsService } from './channels.service.ts';

@Controller()
export class ChannelsController {
  constructor(private readonly service: ChannelsService) {}

  @Endpoint(channels.find)
  async find(): Promise<Answer<typeof channels.find>> {
    return { data: (await this.service.all()).map(withoutSecrets) };
  }

  @Endpoint(channels.update)
  async update(
    @Input() { params, body }: In<typeof channels.update>,
  ): Promise<Answer<typeof channels.update>> {
    return withoutSecrets(await this.service.update(params.channel, body));
  }
}

/** Secrets go in and are never shown again. */
function withoutSecrets({ options: { secret: _, ...options }, ...channel }: Channel): Channel {
  return { ...channel, options };
}
