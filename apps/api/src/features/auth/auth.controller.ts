import { Controller, Req, Res } from '@nestjs/common';
import { auth, type ResponseOf } from '@heliograph/contract';
import type { Request, Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { visitorOf } from '../../core/http/visitor.ts';
import { AuthService } from './auth.service.ts';
import { fromOf } from './security-notifications.ts';
import { SessionsService } from './sessions.service.ts';

@Controller()
export class AuthController {
  constructor(
    private readonly service: AuthService,
    private readonly sessions: SessionsService,
  ) {}

  @Endpoint(auth.login)
  async login(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Input() { body }: In<typeof auth.login>,
  ): Promise<ResponseOf<typeof auth.login>> {
    const { session, headers } = await this.service.login(body, fromOf(request));
    response.set(headers);
    return session;
  }

  @Endpoint(auth.renew)
  renew(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
  ): Promise<ResponseOf<typeof auth.renew>> {
    return this.service.renew(actor, visitorOf(request));
  }

  @Endpoint(auth.loginAs)
  loginAs(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof auth.loginAs>,
  ): Promise<ResponseOf<typeof auth.loginAs>> {
    return this.service.loginAs(actor, params.id, visitorOf(request));
  }

  @Endpoint(auth.loginAsGet)
  loginAsGet(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof auth.loginAsGet>,
  ): Promise<ResponseOf<typeof auth.loginAsGet>> {
    return this.service.loginAs(actor, params.id, visitorOf(request));
  }

  @Endpoint(auth.logout)
  async logout(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof auth.logout>,
  ): Promise<ResponseOf<typeof auth.logout>> {
    return { ended: await this.sessions.logout(actor, body?.everywhere ?? false) };
  }
}
