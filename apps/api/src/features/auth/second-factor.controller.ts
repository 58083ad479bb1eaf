import { Controller, Req } from '@nestjs/common';
import { secondFactor, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SecondFactorService } from './second-factor.service.ts';
import { fromOf } from './security-notifications.ts';

@Controller()
export class SecondFactorController {
  constructor(private readonly service: SecondFactorService) {}

  @Endpoint(secondFactor.get)
  get(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof secondFactor.get>> {
    return this.service.stateOf(actor);
  }

  @Endpoint(secondFactor.setUp)
  setUp(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof secondFactor.setUp>,
  ): Promise<ResponseOf<typeof secondFactor.setUp>> {
    return this.service.setUp(actor, body.password, fromOf(request));
  }

  @Endpoint(secondFactor.enable)
  enable(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof secondFactor.enable>,
  ): Promise<ResponseOf<typeof secondFactor.enable>> {
    return this.service.enable(actor, body.code, fromOf(request));
  }

  @Endpoint(secondFactor.disable)
  async disable(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof secondFactor.disable>,
  ): Promise<ResponseOf<typeof secondFactor.disable>> {
    await this.service.disable(actor, body.password, body.code, fromOf(request));
    return this.service.stateOf(actor);
  }

  @Endpoint(secondFactor.replaceCodes)
  replaceCodes(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof secondFactor.replaceCodes>,
  ): Promise<ResponseOf<typeof secondFactor.replaceCodes>> {
    return this.service.replaceCodes(actor, body.password, body.code, fromOf(request));
  }

  @Endpoint(secondFactor.reset)
  async reset(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof secondFactor.reset>,
  ): Promise<ResponseOf<typeof secondFactor.reset>> {
    await this.service.reset(actor, params.id, body.password, fromOf(request));
    return { id: params.id };
  }
}
