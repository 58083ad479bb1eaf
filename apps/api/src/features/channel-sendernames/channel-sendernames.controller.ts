import { Controller } from '@nestjs/common';
import { channelSendernames, type ResponseOf } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ChannelSendernamesService } from './channel-sendernames.service.ts';

@Controller()
export class ChannelSendernamesController {
  constructor(private readonly service: ChannelSendernamesService) {}

  @Endpoint(channelSendernames.find)
  find(
    @Input() { params, query }: In<typeof channelSendernames.find>,
  ): Promise<ResponseOf<typeof channelSendernames.find>> {
    return this.service.find(params.channel, query);
  }

  @Endpoint(channelSendernames.add)
  add(
    @Input() { params, body }: In<typeof channelSendernames.add>,
  ): Promise<ResponseOf<typeof channelSendernames.add>> {
    return this.service.add(params.channel, body);
  }

  @Endpoint(channelSendernames.remove)
  remove(
    @Input() { params }: In<typeof channelSendernames.remove>,
  ): Promise<ResponseOf<typeof channelSendernames.remove>> {
    return this.service.remove(params.channel, params.id);
  }
}
