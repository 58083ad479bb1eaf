import { Controller } from '@nestjs/common';
import { contactFields, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ContactFieldsService } from './contact-fields.service.ts';

@Controller()
export class ContactFieldsController {
  constructor(private readonly service: ContactFieldsService) {}

  @Endpoint(contactFields.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof contactFields.get>,
  ): Promise<ResponseOf<typeof contactFields.get>> {
    return this.service.get(actor, query.OwnerId);
  }

  @Endpoint(contactFields.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contactFields.update>,
  ): Promise<ResponseOf<typeof contactFields.update>> {
    return this.service.update(actor, body.fields);
  }

  @Endpoint(contactFields.check)
  check(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof contactFields.check>,
  ): Promise<ResponseOf<typeof contactFields.check>> {
    return this.service.check(actor, body);
  }
}
