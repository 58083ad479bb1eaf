import { Controller } from '@nestjs/common';
import { channels, type Answer } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ChannelsService } from './channels.service.ts';

@Controller()
export class ChannelsController {
  constructor(private readonly service: ChannelsService) {}

  @Endpoint(channels.find)
  async find(): Promise<Answer<typeof channels.find>> {
    return { data: await this.service.all() };
  }

  @Endpoint(channels.update)
  update(
    @Input() { params, body }: In<typeof channels.update>,
  ): Promise<Answer<typeof channels.update>> {
    return this.service.update(params.channel, body);
  }
}
