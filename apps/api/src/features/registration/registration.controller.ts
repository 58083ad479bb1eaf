import { Controller, Req } from '@nestjs/common';
import { registration, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { visitorOf } from '../../core/http/visitor.ts';
import { UsersService } from '../users/users.service.ts';
import { RegistrationService } from './registration.service.ts';

@Controller()
export class RegistrationController {
  constructor(
    private readonly service: RegistrationService,
    private readonly users: UsersService,
  ) {}

  @Endpoint(registration.create)
  create(
    @Req() request: Request,
    @Input() { body }: In<typeof registration.create>,
  ): Promise<ResponseOf<typeof registration.create>> {
    return this.service.register(body, visitorOf(request));
  }

  @Endpoint(registration.survey)
  async survey(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof registration.survey>,
  ): Promise<ResponseOf<typeof registration.survey>> {
    await this.users.addMeta(actor, body);
    return body;
  }
}
