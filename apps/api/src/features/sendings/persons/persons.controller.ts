import { Controller } from '@nestjs/common';
import { persons, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../../core/http/endpoint.ts';
import { PersonsService } from './persons.service.ts';

@Controller()
export class PersonsController {
  constructor(private readonly service: PersonsService) {}

  @Endpoint(persons.erase)
  erase(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof persons.erase>,
  ): Promise<ResponseOf<typeof persons.erase>> {
    return this.service.erase(actor, body);
  }
}
