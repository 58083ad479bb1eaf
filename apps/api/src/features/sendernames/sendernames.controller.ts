import { Controller } from '@nestjs/common';
import { sendernames, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { ChannelSendernamesService } from '../channel-sendernames/channel-sendernames.service.ts';
import { present, type Sendername } from './sendername.entity.ts';
import { SendernamesService } from './sendernames.service.ts';
import { SendernamesStore } from './sendernames.store.ts';

@Controller()
export class SendernamesController {
  constructor(
    private readonly service: SendernamesService,
    private readonly store: SendernamesStore,
    private readonly owners: Owners,
    private readonly registered: ChannelSendernamesService,
  ) {}

  @Endpoint(sendernames.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof sendernames.find>,
  ): Promise<ResponseOf<typeof sendernames.find>> {
    const page = await this.store.findFor(actor, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(sendernames.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendernames.get>,
  ): Promise<ResponseOf<typeof sendernames.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(sendernames.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof sendernames.create>,
  ): Promise<ResponseOf<typeof sendernames.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(sendernames.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof sendernames.update>,
  ): Promise<ResponseOf<typeof sendernames.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(sendernames.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendernames.remove>,
  ): Promise<ResponseOf<typeof sendernames.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(sendernames.moderate)
  async moderate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof sendernames.moderate>,
  ): Promise<ResponseOf<typeof sendernames.moderate>> {
    return this.shown(actor, await this.service.moderate(actor, params.id, body));
  }

  @Endpoint(sendernames.channels)
  async channels(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendernames.channels>,
  ): Promise<ResponseOf<typeof sendernames.channels>> {
    return this.registered.channelsOf(await this.store.get(actor.scope, params.id));
  }

  private async shown(actor: Actor, row: Sendername): Promise<ReturnType<typeof present>> {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
