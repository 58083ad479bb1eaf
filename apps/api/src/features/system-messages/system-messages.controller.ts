import { Controller } from '@nestjs/common';
import { systemMessages, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present } from './system-message.entity.ts';
import { SystemMessagesService } from './system-messages.service.ts';
import { SystemMessagesStore } from './system-messages.store.ts';

@Controller()
export class SystemMessagesController {
  constructor(
    private readonly store: SystemMessagesStore,
    private readonly service: SystemMessagesService,
    private readonly owners: Owners,
  ) {}

  @Endpoint(systemMessages.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof systemMessages.find>,
  ): Promise<ResponseOf<typeof systemMessages.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map(present) };
  }

  @Endpoint(systemMessages.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof systemMessages.get>,
  ): Promise<ResponseOf<typeof systemMessages.get>> {
    const row = await this.store.get(actor.scope, params.id);
    return present(await this.owners.withOwner(actor.level, row));
  }

  @Endpoint(systemMessages.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof systemMessages.create>,
  ): Promise<ResponseOf<typeof systemMessages.create>> {
    const row = await this.service.create(actor, body);
    return present(await this.owners.withOwner(actor.level, row));
  }
}
