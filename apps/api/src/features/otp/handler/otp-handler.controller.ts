import { Controller, Req, Res } from '@nestjs/common';
import { otpHandler, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import { Endpoint, Input, type AppRequest, type In } from '../../../core/http/endpoint.ts';
import { LongPolls } from '../../../core/http/long-polls.ts';
import { localeOf } from '../../../core/http/visitor.ts';
import { OtpPolls } from './otp-polls.ts';
import { OtpSessionsService, type OtpCaller } from './otp-sessions.service.ts';

const SUCCESS = { success: true } as const;

@Controller()
export class OtpHandlerController {
  constructor(
    private readonly service: OtpSessionsService,
    private readonly polls: OtpPolls,
    private readonly longPolls: LongPolls,
  ) {}

  @Endpoint(otpHandler.widget)
  widget(
    @Req() request: AppRequest,
    @Input() { params }: In<typeof otpHandler.widget>,
  ): Promise<ResponseOf<typeof otpHandler.widget>> {
    return this.service.widget(callerOf(request), params.widgetId);
  }

  @Endpoint(otpHandler.captcha)
  captcha(
    @Req() request: AppRequest,
    @Input() { params }: In<typeof otpHandler.captcha>,
  ): Promise<ResponseOf<typeof otpHandler.captcha>> {
    return this.service.challenge(callerOf(request), params.widgetId);
  }

  @Endpoint(otpHandler.create)
  async create(
    @Req() request: AppRequest,
    @Input() { body }: In<typeof otpHandler.create>,
  ): Promise<ResponseOf<typeof otpHandler.create>> {
    const locale = localeOf(request, body.locale);
    return { requestId: await this.service.create(callerOf(request), body, locale) };
  }

  @Endpoint(otpHandler.channel)
  channel(
    @Req() request: AppRequest,
    @Input() { params }: In<typeof otpHandler.channel>,
  ): Promise<ResponseOf<typeof otpHandler.channel>> {
    return this.polls.channel(callerOf(request), params.requestId);
  }

  @Endpoint(otpHandler.pollChannel)
  pollChannel(
    @Req() request: AppRequest,
    @Input() { params, query }: In<typeof otpHandler.pollChannel>,
    @Res() response: Response,
  ): void {
    const caller = callerOf(request);
    this.longPolls.respond(otpHandler.pollChannel, request, response, (signal) =>
      this.polls.nextChannel(caller, params.requestId, query.version, signal),
    );
  }

  @Endpoint(otpHandler.checkCode)
  async checkCode(
    @Req() request: AppRequest,
    @Input() { params, body }: In<typeof otpHandler.checkCode>,
  ): Promise<ResponseOf<typeof otpHandler.checkCode>> {
    await this.service.checkCode(callerOf(request), params.requestId, body.code);
    return SUCCESS;
  }

  @Endpoint(otpHandler.resend)
  async resend(
    @Req() request: AppRequest,
    @Input() { params }: In<typeof otpHandler.resend>,
  ): Promise<ResponseOf<typeof otpHandler.resend>> {
    await this.service.resend(callerOf(request), params.requestId);
    return SUCCESS;
  }

  @Endpoint(otpHandler.status)
  async status(
    @Req() request: AppRequest,
    @Input() { params, query }: In<typeof otpHandler.status>,
  ): Promise<ResponseOf<typeof otpHandler.status>> {
    const { requestId } = params;
    return { success: await this.service.status(callerOf(request), requestId, query.recipient) };
  }

  @Endpoint(otpHandler.pollStatus)
  pollStatus(
    @Req() request: AppRequest,
    @Input() { params, query }: In<typeof otpHandler.pollStatus>,
    @Res() response: Response,
  ): void {
    const caller = callerOf(request);
    this.longPolls.respond(otpHandler.pollStatus, request, response, async (signal) => ({
      success: await this.polls.nextStatus(caller, params.requestId, query.recipient, signal),
    }));
  }

  @Endpoint(otpHandler.complete)
  async complete(
    @Req() request: AppRequest,
    @Input() { params }: In<typeof otpHandler.complete>,
  ): Promise<ResponseOf<typeof otpHandler.complete>> {
    await this.service.complete(callerOf(request), params.requestId);
    return SUCCESS;
  }

  @Endpoint(otpHandler.checkStatusAndComplete)
  async checkStatusAndComplete(
    @Req() request: AppRequest,
    @Input() { params, query }: In<typeof otpHandler.checkStatusAndComplete>,
  ): Promise<ResponseOf<typeof otpHandler.checkStatusAndComplete>> {
    const { requestId } = params;
    await this.service.checkStatusAndComplete(callerOf(request), requestId, query.recipient);
    return SUCCESS;
  }
}

/** `ip` is that of the trusted proxy's header: TRUST_PROXY. */
const callerOf = ({ actor, ip = '' }: AppRequest): OtpCaller => ({ actor, ip });
