import { Controller } from '@nestjs/common';
import { contactLists, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present } from './contact-list.entity.ts';
import { ContactListsService } from './contact-lists.service.ts';
import { ContactListsStore } from './contact-lists.store.ts';

@Controller()
export class ContactListsController {
  constructor(
    private readonly service: ContactListsService,
    private readonly store: ContactListsStore,
  ) {}

  @Endpoint(contactLists.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof contactLists.find>,
  ): Promise<ResponseOf<typeof contactLists.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map(present) };
  }

  @Endpoint(contactLists.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contactLists.get>,
  ): Promise<ResponseOf<typeof contactLists.get>> {
    return present(await this.store.get(actor.scope, params.id));
  }

  @Endpoint(contactLists.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contactLists.create>,
  ): Promise<ResponseOf<typeof contactLists.create>> {
    return present(await this.service.create(actor, body));
  }

  @Endpoint(contactLists.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof contactLists.update>,
  ): Promise<ResponseOf<typeof contactLists.update>> {
    return present(await this.service.update(actor, params.id, body));
  }

  @Endpoint(contactLists.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contactLists.remove>,
  ): Promise<ResponseOf<typeof contactLists.remove>> {
    return this.service.remove(actor, params.id);
  }
}
