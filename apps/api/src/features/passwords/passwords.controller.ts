import { Controller, Req } from '@nestjs/common';
import { passwords, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { localeOf, visitorOf } from '../../core/http/visitor.ts';
import { PasswordsService } from './passwords.service.ts';

@Controller()
export class PasswordsController {
  constructor(private readonly service: PasswordsService) {}

  @Endpoint(passwords.change)
  change(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof passwords.change>,
  ): Promise<ResponseOf<typeof passwords.change>> {
    const { locale, ...change } = body;
    const from = { locale: localeOf(request, locale), visitor: visitorOf(request) };
    return this.service.change(actor, change, from);
  }
}
