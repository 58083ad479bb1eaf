import { Controller } from '@nestjs/common';
import { sendernames, type Answer } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Endpoint, Input, Who, type In } from '../../core/http/endpoint.ts';
import { present } from './sendername.entity.ts';
import { SendernamesService } from './sendernames.service.ts';
import { SendernamesStore } from './sendernames.store.ts';

@Controller()
export class SendernamesController {
  constructor(
    private readonly service: SendernamesService,
    private readonly store: SendernamesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(sendernames.find)
  async find(
    @Who() actor: Actor,
    @Input() { query }: In<typeof sendernames.find>,
  ): Promise<Answer<typeof sendernames.find>> {
    const page = await this.store.find(actor.reach, query);
    const names = await this.owners.named(actor, page.data);
    return {
      ...page,
      data: page.data.map((row) => present(row, actor.level, names.get(row.OwnerId))),
    };
  }

  @Endpoint(sendernames.get)
  async get(
    @Who() actor: Actor,
    @Input() { params }: In<typeof sendernames.get>,
  ): Promise<Answer<typeof sendernames.get>> {
    const row = await this.store.get(actor.reach, params.id);
    const names = await this.owners.named(actor, [row]);
    return present(row, actor.level, names.get(row.OwnerId));
  }

  @Endpoint(sendernames.create)
  async create(
    @Who() actor: Actor,
    @Input() { body }: In<typeof sendernames.create>,
  ): Promise<Answer<typeof sendernames.create>> {
    return present(await this.service.create(actor, body), actor.level);
  }

  @Endpoint(sendernames.update)
  async update(
    @Who() actor: Actor,
    @Input() { params, body }: In<typeof sendernames.update>,
  ): Promise<Answer<typeof sendernames.update>> {
    return present(await this.service.update(actor, params.id, body), actor.level);
  }

  @Endpoint(sendernames.remove)
  remove(
    @Who() actor: Actor,
    @Input() { params }: In<typeof sendernames.remove>,
  ): Promise<Answer<typeof sendernames.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(sendernames.moderate)
  async moderate(
    @Who() actor: Actor,
    @Input() { params, body }: In<typeof sendernames.moderate>,
  ): Promise<Answer<typeof sendernames.moderate>> {
    return present(await this.service.moderate(actor, params.id, body), actor.level);
  }
}
