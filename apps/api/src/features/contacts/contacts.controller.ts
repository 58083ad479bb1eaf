import { Controller } from '@nestjs/common';
import { contacts, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present } from './contact.entity.ts';
import { ContactsService } from './contacts.service.ts';
import { ContactsStore } from './contacts.store.ts';
import { ImportService } from './import/import.service.ts';

@Controller()
export class ContactsController {
  constructor(
    private readonly service: ContactsService,
    private readonly store: ContactsStore,
    private readonly imports: ImportService,
  ) {}

  @Endpoint(contacts.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof contacts.find>,
  ): Promise<ResponseOf<typeof contacts.find>> {
    const page = await this.service.find(actor, query);
    return { ...page, data: page.data.map(present) };
  }

  @Endpoint(contacts.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contacts.get>,
  ): Promise<ResponseOf<typeof contacts.get>> {
    return present(await this.store.get(actor.scope, params.id));
  }

  @Endpoint(contacts.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.create>,
  ): Promise<ResponseOf<typeof contacts.create>> {
    return present(await this.service.create(actor, body));
  }

  @Endpoint(contacts.removeMany)
  removeMany(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.removeMany>,
  ): Promise<ResponseOf<typeof contacts.removeMany>> {
    return this.service.removeMany(actor, body);
  }

  @Endpoint(contacts.tag)
  tag(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.tag>,
  ): Promise<ResponseOf<typeof contacts.tag>> {
    return this.service.tag(actor, body);
  }

  @Endpoint(contacts.move)
  move(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.move>,
  ): Promise<ResponseOf<typeof contacts.move>> {
    return this.service.move(actor, body);
  }

  @Endpoint(contacts.preview)
  preview(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.preview>,
  ): Promise<ResponseOf<typeof contacts.preview>> {
    return this.imports.preview(actor, body);
  }

  @Endpoint(contacts.recipients)
  recipients(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.recipients>,
  ): Promise<ResponseOf<typeof contacts.recipients>> {
    return this.imports.recipients(actor, body);
  }

  @Endpoint(contacts.import)
  import(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contacts.import>,
  ): Promise<ResponseOf<typeof contacts.import>> {
    return this.imports.run(actor, body);
  }

  @Endpoint(contacts.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof contacts.update>,
  ): Promise<ResponseOf<typeof contacts.update>> {
    return present(await this.service.update(actor, params.id, body));
  }

  @Endpoint(contacts.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof contacts.remove>,
  ): Promise<ResponseOf<typeof contacts.remove>> {
    return this.service.remove(actor, params.id);
  }
}
