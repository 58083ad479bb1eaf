import { Controller, Req } from '@nestjs/common';
import { emails, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { localeOf, visitorOf } from '../../core/http/visitor.ts';
import { EmailChangesService } from './email-changes.service.ts';

@Controller()
export class EmailsController {
  constructor(private readonly service: EmailChangesService) {}

  @Endpoint(emails.sendConfirmation)
  sendConfirmation(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof emails.sendConfirmation>,
  ): Promise<ResponseOf<typeof emails.sendConfirmation>> {
    const locale = localeOf(request, body?.locale);
    return this.service.sendConfirmation(actor, locale, visitorOf(request));
  }

  @Endpoint(emails.cancel)
  async cancel(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof emails.cancel>> {
    return { cancelled: await this.service.withdraw(actor) };
  }

  @Endpoint(emails.check)
  async check(
    @Req() request: Request,
    @Input() { params }: In<typeof emails.check>,
  ): Promise<ResponseOf<typeof emails.check>> {
    const found = await this.service.check(params.key, visitorOf(request));
    const { username, address: email, expiresAt } = found;
    return { username, email, expiresAt: expiresAt.toISOString() };
  }

  @Endpoint(emails.confirm)
  confirm(
    @Req() request: Request,
    @Input() { params }: In<typeof emails.confirm>,
  ): Promise<ResponseOf<typeof emails.confirm>> {
    return this.service.confirm(params.key, visitorOf(request));
  }
}
