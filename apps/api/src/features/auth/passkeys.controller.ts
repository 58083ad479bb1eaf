import { Controller, Req, Res } from '@nestjs/common';
import { passkeys, type ResponseOf } from '@heliograph/contract';
import type { Request, Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { PasskeysService } from './passkeys.service.ts';
import { fromOf } from './security-notifications.ts';

@Controller()
export class PasskeysController {
  constructor(private readonly service: PasskeysService) {}

  @Endpoint(passkeys.find)
  find(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof passkeys.find>> {
    return this.service.list(actor);
  }

  @Endpoint(passkeys.begin)
  begin(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof passkeys.begin>,
  ): Promise<ResponseOf<typeof passkeys.begin>> {
    return this.service.begin(actor, body, fromOf(request));
  }

  @Endpoint(passkeys.create)
  create(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof passkeys.create>,
  ): Promise<ResponseOf<typeof passkeys.create>> {
    return this.service.create(actor, body, fromOf(request));
  }

  @Endpoint(passkeys.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof passkeys.update>,
  ): Promise<ResponseOf<typeof passkeys.update>> {
    return this.service.rename(actor, params.id, body.title);
  }

  @Endpoint(passkeys.remove)
  async remove(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof passkeys.remove>,
  ): Promise<ResponseOf<typeof passkeys.remove>> {
    await this.service.remove(actor, params.id, fromOf(request));
    return { id: params.id };
  }

  @Endpoint(passkeys.signInOptions)
  signInOptions(): Promise<ResponseOf<typeof passkeys.signInOptions>> {
    return this.service.signInOptions();
  }

  @Endpoint(passkeys.signIn)
  async signIn(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Input() { body }: In<typeof passkeys.signIn>,
  ): Promise<ResponseOf<typeof passkeys.signIn>> {
    const { session, headers } = await this.service.signIn(body.credential, fromOf(request));
    response.set(headers);
    return session;
  }
}
