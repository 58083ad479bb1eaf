import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  BODY_LIMIT,
  can,
  type Endpoint as Definition,
  type Permission,
} from '@heliograph/contract';
import type { Response } from 'express';
import { Authenticator } from '../auth/authenticator.ts';
import type { Actor } from '../auth/actor.ts';
import { Owners } from '../auth/owners.ts';
import { AppError } from '../errors.ts';
import { logContext } from '../log.ts';
import { Slices } from '../slices.ts';
import { readBody, refuseEncoded, type Body } from './body.ts';
import { Carriers } from './carriers.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';
import { RequestRates } from './request-rates.ts';
import { parse } from './validation.ts';

/** Session, permission, shape and reach of every call, in this order, before a handler sees it. */
@Injectable()
export class EndpointGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly owners: Owners,
    private readonly carriers: Carriers,
    private readonly rates: RequestRates,
    private readonly slices: Slices,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const def = this.reflector.get<Definition | undefined>(ENDPOINT, context.getHandler());
    if (!def)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no endpoint`);
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const response = http.getResponse<Response>();

    if (def.can === 'public') this.rates.count(def, request, response);
    else if (def.can !== 'carrier') {
      const actor = await this.rates.countRefusals(request, response, () =>
        this.authenticator.actor(request, def),
      );
      request.actor = actor;
      this.rates.count(def, request, response);
      if (def.mutates && isOfPage(request))
        throw new AppError('forbidden', 'This call changes something: use POST');
      Object.assign(logContext.getStore() ?? {}, { userId: actor.userId, OwnerId: actor.OwnerId });
      if (def.can !== 'session' && !can(actor.permissions, def.can as Permission, def.accept)) {
        throw new AppError('forbidden', undefined, { payload: { permission: def.can } });
      }
    }
    const params = parse(def.params, request.params);
    const query = parse(def.query, request.query);
    // Nothing of a body is read before it is known who sends it.
    request.call = { params, query, body: await this.body(def, request, response, params) };
    this.rates.countBody(def, request, response);
    if (request.actor) await this.checkOwners(def, request.call, request.actor);
    return true;
  }

  private async body(
    def: Definition,
    request: AppRequest,
    response: Response,
    params: unknown,
  ): Promise<unknown> {
    if (def.upload) refuseEncoded(request);
    if (!def.body || def.upload) return undefined;
    const body =
      def.can === 'carrier'
        ? await this.rates.countRefusals(request, response, () =>
            this.carrierBody(def, request, params as { channel: string }),
          )
        : await readBody(request, def);
    const inTurn = <T>(work: () => T) =>
      body && body.bytes.length > BODY_LIMIT ? this.slices.alone(work) : work();
    const value = await inTurn(() => body?.parse());
    return inTurn(() => parse(def.body, value, def.perItemResults));
  }

  /** The signature of a carrier is its sign-in. */
  private async carrierBody(
    def: Definition,
    request: AppRequest,
    { channel }: { channel: string },
  ): Promise<Body | undefined> {
    const verify = await this.carriers.open(channel);
    const body = await readBody(request, def);
    verify(request.headers, body?.bytes ?? Buffer.alloc(0));
    return body;
  }

  /** An `OwnerId` in a body or a filter names an account within reach, where the endpoint takes one at all. */
  private async checkOwners(
    def: Definition,
    call: NonNullable<AppRequest['call']>,
    actor: Actor,
  ): Promise<void> {
    const inBody = (call.body as { OwnerId?: string } | undefined)?.OwnerId;
    const inFilter = (call.query as { filter?: { OwnerId?: string } } | undefined)?.filter?.OwnerId;
    if (inBody && inBody !== actor.OwnerId) {
      if (def.owner !== 'write' || !(await this.owners.within(actor.scope, inBody)))
        throw new AppError('not_found', undefined, { foreignAccount: inBody });
    }
    if (
      inFilter &&
      inFilter !== actor.OwnerId &&
      !(await this.owners.within(actor.scope, inFilter))
    )
      throw new AppError('not_found', undefined, { foreignAccount: inFilter });
  }
}

/** Opened by a link, an image or another site, as browsers say it; clients that are no browsers say nothing. */
function isOfPage({ headers }: AppRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === 'cross-site';
}
