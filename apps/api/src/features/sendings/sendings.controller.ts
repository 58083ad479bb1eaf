import { Controller, Res } from '@nestjs/common';
import { sendings, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { pageOfError } from '../../core/http/page-of-error.ts';
import { SendingsService } from './sendings.service.ts';

@Controller()
export class SendingsController {
  constructor(
    private readonly service: SendingsService,
    private readonly config: Config,
  ) {}

  @Endpoint(sendings.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof sendings.find>,
  ): Promise<ResponseOf<typeof sendings.find>> {
    return this.service.find(actor, query);
  }

  @Endpoint(sendings.estimate)
  estimate(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof sendings.estimate>,
  ): Promise<ResponseOf<typeof sendings.estimate>> {
    return this.service.estimate(actor, body);
  }

  @Endpoint(sendings.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendings.get>,
  ): Promise<ResponseOf<typeof sendings.get>> {
    return this.service.get(actor, params.id);
  }

  @Endpoint(sendings.cancel)
  cancel(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof sendings.cancel>,
  ): Promise<ResponseOf<typeof sendings.cancel>> {
    return this.service.cancel(actor, params.id);
  }

  @Endpoint(sendings.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { query, body }: In<typeof sendings.create>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResponseOf<typeof sendings.create>> {
    const created = await this.service.create(actor, body, query.return === 'each');
    if ('state' in created) response.status(201);
    if (!('status' in created) || created.status !== 'failed') return created;
    response.status(400);
    return { ...created, docs: pageOfError(this.config.publicUrl, created.code ?? 'unknown') };
  }

  @Endpoint(sendings.each)
  each(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof sendings.each>,
  ): Promise<ResponseOf<typeof sendings.each>> {
    return this.service.each(actor, body);
  }
}
