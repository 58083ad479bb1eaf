import { Controller, Req } from '@nestjs/common';
import { phones, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { localeOf, visitorOf } from '../../core/http/visitor.ts';
import { PhonesService } from './phones.service.ts';

@Controller()
export class PhonesController {
  constructor(private readonly service: PhonesService) {}

  @Endpoint(phones.sendCode)
  sendCode(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof phones.sendCode>,
  ): Promise<ResponseOf<typeof phones.sendCode>> {
    return this.service.sendCode(actor, localeOf(request, body?.locale), visitorOf(request));
  }

  @Endpoint(phones.confirm)
  async confirm(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof phones.confirm>,
  ): Promise<ResponseOf<typeof phones.confirm>> {
    return { phone: await this.service.confirm(actor, body.code) };
  }

  @Endpoint(phones.simulated)
  async simulated(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof phones.simulated>> {
    const messages = await this.service.simulated(actor);
    const data = messages.map((m) => ({ ...m, createdAt: m.createdAt.toISOString() }));
    return { data };
  }
}
