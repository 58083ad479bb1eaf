import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { ErrorFilter } from '../../core/http/error-filter.ts';
import type { Answer, VendorApi } from './call.ts';
import { KannelApi } from './kannel.ts';
import { SmscApi } from './smsc.ts';
import { SmsruApi } from './smsru.ts';
import { TwilioApi } from './twilio.ts';

/**
 * The APIs of other services, for programs that move in by changing their host. Not part of the contract: their forms are
 * those of others. Without the setting `COMPATIBLE_APIS` there are none.
 */
@Injectable()
export class CompatibleApis {
  readonly paths: string[];
  private readonly apis: VendorApi[];

  constructor(
    private readonly errors: ErrorFilter,
    private readonly config: Config,
    kannel: KannelApi,
    twilio: TwilioApi,
    smsc: SmscApi,
    smsru: SmsruApi,
  ) {
    this.apis = [kannel, twilio, smsc, smsru];
    this.paths = this.apis.flatMap(({ paths }) => paths);
  }

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    const path = `${request.baseUrl}${request.path}`.replace(/\/$/, '');
    const mount = request.baseUrl.toLowerCase();
    const api = this.apis.find(({ paths }) => paths.some((one) => one.toLowerCase() === mount))!;
    if (!this.config.COMPATIBLE_APIS.includes(api.name))
      return this.errors.respond(new AppError('not_found'), request, response);
    const call = { request, response, path };
    // The label of the metrics, and the name of the call in the audit log.
    request.route = { path: request.baseUrl };
    try {
      if (!['GET', 'POST'].includes(request.method))
        throw new AppError('method_not_allowed', undefined, { headers: { allow: 'GET, POST' } });
      send(response, await api.answer(call));
    } catch (thrown) {
      const error = this.errors.noted(thrown, request, response);
      if (response.headersSent) return void response.end();
      response.set(error.detail.headers);
      send(response, api.refusal(error, call));
    }
  };
}

function send(response: Response, { status, body, headers = {} }: Answer): void {
  response.status(status).type('text/plain').set(headers);
  if (typeof body === 'string') response.send(body);
  else response.json(body);
}
