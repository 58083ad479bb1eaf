import { Injectable } from '@nestjs/common';
import { SimulatedGateway } from '@heliograph/domain';
import type { Response } from 'express';
import { randomUUID } from 'node:crypto';
import qs from 'qs';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import { Log } from '../../core/log.ts';
import { GATEWAY_PATH, GatewaysService } from './gateways.service.ts';
import { SimulatedPhonesStore } from './simulated-phones.store.ts';

/** The simulated gateway inside of a demo installation. It is another party: it knows instances by its own interface only. */
@Injectable()
export class GatewayHost {
  private gateway?: Promise<SimulatedGateway>;

  constructor(
    private readonly config: Config,
    private readonly gateways: GatewaysService,
    private readonly store: SimulatedPhonesStore,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set('cache-control', 'no-store');
    try {
      if (this.config.wapiGateway?.url !== null) return void response.status(404).end();
      const body = await readBody(request, { form: true });
      const answer = await (
        await this.open()
      ).respond({
        method: request.method,
        path: request.path,
        query: qs.parse(request.url.split('?')[1] ?? '') as Record<string, string>,
        authorization: undefined,
        body: (body?.parse() ?? {}) as Record<string, unknown>,
      });
      response.status(answer.status);
      if (answer.html) response.type('html').send(answer.html);
      else response.json(answer.json);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 500;
      if (status === 500) this.log.error({ err: error }, 'the simulated gateway failed');
      response.status(status).end();
    }
  };

  private open(): Promise<SimulatedGateway> {
    return (this.gateway ??= this.create());
  }

  private async create(): Promise<SimulatedGateway> {
    const token = await this.gateways.simulatedToken();
    return new SimulatedGateway({
      store: this.store,
      newId: randomUUID,
      now: Date.now,
      baseUrl: `${this.config.publicUrl}${GATEWAY_PATH}`,
      isPartner: (given) => isSameSecret(given, token),
      isSameToken: (given, wanted) => isSameSecret(given, wanted),
    });
  }
}
