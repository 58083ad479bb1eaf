import { Controller, Req } from '@nestjs/common';
import { auth, type Answer } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, Who, type In } from '../../core/http/endpoint.ts';
import { AuthService, type Visitor } from './auth.service.ts';

@Controller()
export class AuthController {
  constructor(private readonly service: AuthService) {}

  @Endpoint(auth.login)
  login(
    @Req() request: Request,
    @Input() { body }: In<typeof auth.login>,
  ): Promise<Answer<typeof auth.login>> {
    return this.service.login(body, visitorOf(request));
  }

  @Endpoint(auth.renew)
  renew(@Req() request: Request, @Who() actor: Actor): Promise<Answer<typeof auth.renew>> {
    return this.service.renew(actor, visitorOf(request));
  }

  @Endpoint(auth.loginAs)
  loginAs(
    @Req() request: Request,
    @Who() actor: Actor,
    @Input() { params }: In<typeof auth.loginAs>,
  ): Promise<Answer<typeof auth.loginAs>> {
    return this.service.loginAs(actor, params.id, visitorOf(request));
  }

  @Endpoint(auth.loginAsGet)
  loginAsGet(
    @Req() request: Request,
    @Who() actor: Actor,
    @Input() { params }: In<typeof auth.loginAsGet>,
  ): Promise<Answer<typeof auth.loginAsGet>> {
    return this.service.loginAs(actor, params.id, visitorOf(request));
  }

  @Endpoint(auth.logout)
  async logout(
    @Who() actor: Actor,
    @Input() { body }: In<typeof auth.logout>,
  ): Promise<Answer<typeof auth.logout>> {
    return { ended: await this.service.logout(actor, body?.everywhere ?? false) };
  }
}

export function visitorOf(request: Request): Visitor {
  return {
    ip: request.ip ?? '',
    useragent: String(request.headers['user-agent'] ?? '').slice(0, 500),
  };
}
