import { Controller, Req, Res } from '@nestjs/common';
import { identities, type ResponseOf } from '@heliograph/contract';
import type { Request, Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { IdentityProvidersService } from '../identity-providers/identity-providers.service.ts';
import { IdentitiesService } from './identities.service.ts';
import { fromOf } from './security-notifications.ts';

@Controller()
export class IdentitiesController {
  constructor(
    private readonly service: IdentitiesService,
    private readonly providers: IdentityProvidersService,
  ) {}

  @Endpoint(identities.find)
  find(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof identities.find>> {
    return this.service.find(actor);
  }

  @Endpoint(identities.begin)
  async begin(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof identities.begin>,
  ): Promise<ResponseOf<typeof identities.begin>> {
    const { url, headers } = await this.service.begin(actor, params.id, body, fromOf(request));
    response.set(headers);
    return { url };
  }

  @Endpoint(identities.create)
  create(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof identities.create>,
  ): Promise<ResponseOf<typeof identities.create>> {
    return this.service.create(actor, params.id, body.answer, fromOf(request));
  }

  @Endpoint(identities.remove)
  async remove(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof identities.remove>,
  ): Promise<ResponseOf<typeof identities.remove>> {
    await this.service.remove(actor, params.id, fromOf(request));
    return { id: params.id };
  }

  @Endpoint(identities.offered)
  async offered(): Promise<ResponseOf<typeof identities.offered>> {
    return { data: await this.providers.offered() };
  }

  @Endpoint(identities.start)
  async start(
    @Res({ passthrough: true }) response: Response,
    @Input() { params }: In<typeof identities.start>,
  ): Promise<ResponseOf<typeof identities.start>> {
    const { url, headers } = await this.service.start(params.id);
    response.set(headers);
    return { url };
  }

  @Endpoint(identities.signIn)
  async signIn(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Input() { params, body }: In<typeof identities.signIn>,
  ): Promise<ResponseOf<typeof identities.signIn>> {
    const { session, headers } = await this.service.signIn(params.id, body.answer, fromOf(request));
    response.set(headers);
    return session;
  }

  @Endpoint(identities.logout)
  async logout(
    @Input() { params, body }: In<typeof identities.logout>,
  ): Promise<ResponseOf<typeof identities.logout>> {
    return { ended: await this.service.logout(params.id, body.logout_token) };
  }

  @Endpoint(identities.confirm)
  async confirm(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Input() { params, body }: In<typeof identities.confirm>,
  ): Promise<ResponseOf<typeof identities.confirm>> {
    const { session, headers } = await this.service.confirm(params.id, body.code, fromOf(request));
    response.set(headers);
    return session;
  }
}
