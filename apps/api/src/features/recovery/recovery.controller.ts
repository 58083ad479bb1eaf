import { Controller, Req } from '@nestjs/common';
import { recovery, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { localeOf, visitorOf } from '../../core/http/visitor.ts';
import { KEY_SECONDS, RecoveryService } from './recovery.service.ts';

@Controller()
export class RecoveryController {
  constructor(private readonly service: RecoveryService) {}

  @Endpoint(recovery.request)
  async request(
    @Req() request: Request,
    @Input() { body }: In<typeof recovery.request>,
  ): Promise<ResponseOf<typeof recovery.request>> {
    const { login, captcha } = body;
    const locale = localeOf(request, body.locale);
    await this.service.request(login, locale, visitorOf(request), captcha);
    return { expiresIn: KEY_SECONDS };
  }

  @Endpoint(recovery.check)
  async check(
    @Req() request: Request,
    @Input() { params }: In<typeof recovery.check>,
  ): Promise<ResponseOf<typeof recovery.check>> {
    const found = await this.service.check(params.key, visitorOf(request));
    const { username, expiresAt, isInvitation } = found;
    return { username, expiresAt: expiresAt.toISOString(), isInvitation };
  }

  @Endpoint(recovery.reset)
  async reset(
    @Req() request: Request,
    @Input() { params, body }: In<typeof recovery.reset>,
  ): Promise<ResponseOf<typeof recovery.reset>> {
    const { key } = params;
    const { username } = await this.service.reset(key, body.password, visitorOf(request));
    return { username };
  }
}
