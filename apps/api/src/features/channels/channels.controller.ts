import { Controller } from '@nestjs/common';
import { channels, type ResponseOf } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ChannelsService } from './channels.service.ts';
import { DomainCheckService } from './domain-check.service.ts';
import { ChannelWatch } from './channel-watch.service.ts';
import { RehearsalService } from './rehearsal.service.ts';

@Controller()
export class ChannelsController {
  constructor(
    private readonly service: ChannelsService,
    private readonly rehearsals: RehearsalService,
    private readonly domains: DomainCheckService,
    private readonly watch: ChannelWatch,
  ) {}

  @Endpoint(channels.find)
  find(@Input() { query }: In<typeof channels.find>): Promise<ResponseOf<typeof channels.find>> {
    return this.service.find(query);
  }

  @Endpoint(channels.drivers)
  drivers(): ResponseOf<typeof channels.drivers> {
    return this.service.drivers();
  }

  @Endpoint(channels.rehearse)
  rehearse(@Input() { body }: In<typeof channels.rehearse>): ResponseOf<typeof channels.rehearse> {
    return this.rehearsals.rehearse(body);
  }

  @Endpoint(channels.get)
  get(@Input() { params }: In<typeof channels.get>): Promise<ResponseOf<typeof channels.get>> {
    return this.service.getOne(params.channel);
  }

  @Endpoint(channels.domain)
  domain(
    @Input() { params }: In<typeof channels.domain>,
  ): Promise<ResponseOf<typeof channels.domain>> {
    return this.domains.check(params.channel);
  }

  @Endpoint(channels.live)
  live(@Input() { params }: In<typeof channels.live>): Promise<ResponseOf<typeof channels.live>> {
    return this.watch.live(params.channel);
  }

  @Endpoint(channels.exchanges)
  exchanges(
    @Input() { params, query }: In<typeof channels.exchanges>,
  ): Promise<ResponseOf<typeof channels.exchanges>> {
    return this.watch.exchanges(params.channel, query);
  }

  @Endpoint(channels.create)
  create(
    @Input() { body }: In<typeof channels.create>,
  ): Promise<ResponseOf<typeof channels.create>> {
    return this.service.create(body);
  }

  @Endpoint(channels.update)
  update(
    @Input() { params, body }: In<typeof channels.update>,
  ): Promise<ResponseOf<typeof channels.update>> {
    return this.service.update(params.channel, body);
  }

  @Endpoint(channels.remove)
  remove(
    @Input() { params }: In<typeof channels.remove>,
  ): Promise<ResponseOf<typeof channels.remove>> {
    return this.service.remove(params.channel);
  }
}
