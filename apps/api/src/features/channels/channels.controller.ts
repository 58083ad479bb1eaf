import { Controller } from '@nestjs/common';
import { channels, type Answer } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ChannelsService } from './channels.service.ts';

@Controller()
export class ChannelsController {
  constructor(private readonly service: ChannelsService) {}

  @Endpoint(channels.find)
  find(@Input() { query }: In<typeof channels.find>): Promise<Answer<typeof channels.find>> {
    return this.service.find(query);
  }

  @Endpoint(channels.drivers)
  drivers(): Answer<typeof channels.drivers> {
    return this.service.drivers();
  }

  @Endpoint(channels.get)
  get(@Input() { params }: In<typeof channels.get>): Promise<Answer<typeof channels.get>> {
    return this.service.getOne(params.channel);
  }

  @Endpoint(channels.create)
  create(@Input() { body }: In<typeof channels.create>): Promise<Answer<typeof channels.create>> {
    return this.service.create(body);
  }

  @Endpoint(channels.update)
  update(
    @Input() { params, body }: In<typeof channels.update>,
  ): Promise<Answer<typeof channels.update>> {
    return this.service.update(params.channel, body);
  }

  @Endpoint(channels.remove)
  remove(@Input() { params }: In<typeof channels.remove>): Promise<Answer<typeof channels.remove>> {
    return this.service.remove(params.channel);
  }
}
