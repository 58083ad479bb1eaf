import {
  BODY_LIMIT,
  can,
  isForTests,
  type Endpoint as Definition,
  Scoped,
} from '@heliograph/contract';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { refuseImpersonated, refuseToken, type Actor } from '../auth/actor.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { Owners } from '../auth/owners.ts';
import { PasswordPolicy } from '../auth/password-policy.ts';
import { Config } from '../config.ts';
import { AppError, noLegalPayers } from '../errors.ts';
import { logContext } from '../log.ts';
import { Slices } from '../slices.ts';
import { readBody, refuseEncoded, type Body } from './body.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';
import { RequestRates } from './request-rates.ts';
import { withoutReadOnly } from './returned-row.ts';
import { Signers, type SignerParam } from './signers.ts';
import { parse } from './validation.ts';

/** With this header a call is refused unless its token is a test one: it can neither charge money nor reach anybody. */
const TEST_ONLY = 'x-test-only';

/** Checks session, permission, validity and access scope of every request, in this order, before the handler runs. */
@Injectable()
export class EndpointGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly owners: Owners,
    private readonly signers: Signers,
    private readonly rates: RequestRates,
    private readonly slices: Slices,
    private readonly passwords: PasswordPolicy,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const def = this.reflector.get<Definition | undefined>(ENDPOINT, context.getHandler());
    if (!def)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no endpoint`);
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const response = http.getResponse<Response>();

    request.endpoint = def;
    const permission = permissionOf(def, request);
    if (permission === 'public') this.rates.count(def, request, response);
    else if (permission !== 'carrier') {
      const actor = await this.rates.countRefusals(request, response, () =>
        this.authenticator.actor(request, def),
      );
      request.actor = actor;
      this.rates.count(def, request, response);
      if (def.mutates && isFromPage(request))
        throw new AppError('forbidden', 'This request changes data. Use POST.');
      if (actor.mustSetUpSecondFactor && !def.beforeSecondFactor)
        throw new AppError('second_factor_setup_required');
      Object.assign(logContext.getStore() ?? {}, { userId: actor.userId, OwnerId: actor.OwnerId });
      if (def.sessionOnly) refuseToken(actor);
      if (request.headers[TEST_ONLY] !== undefined && !actor.isTest)
        throw new AppError('test_token_required');
      if (actor.isTest && !isForTests(def))
        throw new AppError('forbidden', 'A test token can only read and send.');
      if (def.lasting === 'refused') refuseImpersonated(actor);
      if (def.refusedInRestrictedMode && this.config.RESTRICTED_MODE) throw noLegalPayers();
      if (permission !== 'session' && !can(actor.permissions, permission, def.accept)) {
        throw new AppError('forbidden', undefined, { payload: { permission } });
      }
    }
    const params = parse(def.params, request.params);
    const query = readQuery(def, request.query);
    // The body is read only after authentication.
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
    const isSigned = def.can === 'carrier';
    if ((!def.body && !isSigned) || def.upload) return undefined;
    const body = isSigned
      ? await this.rates.countRefusals(request, response, () =>
          this.signedBody(def, request, params as SignerParams),
        )
      : await readBody(request, def);
    if (!def.body) return undefined;
    const sliced = <T>(work: () => T) =>
      body && body.bytes.length > BODY_LIMIT ? this.slices.alone(work) : work();
    // Without a body nothing is given; where all fields may be absent, this is enough.
    const value = await sliced(() => body?.parse() ?? {});
    // Channels are named by their name, which is also the id of their row.
    const { id, channel } = (params ?? {}) as { id?: string; channel?: string };
    const given = withoutReadOnly(def, value, id ?? channel, request.actor?.OwnerId);
    try {
      return sliced(() => parse(def.body, given, def.perItemResults));
    } catch (error) {
      throw def.newPassword ? await this.passwords.completed(error, given, def.newPassword) : error;
    }
  }

  /** Carriers and acquirers authenticate by the signature of the body, or by a proof of their own. */
  private async signedBody(
    def: Definition,
    request: AppRequest,
    params: SignerParams,
  ): Promise<Body | undefined> {
    const verify = await this.signers.open(params);
    const body = await readBody(request, def);
    verify(request.headers, body?.bytes ?? Buffer.alloc(0), searchOf(request));
    return body;
  }

  /** An `OwnerId` in a body or query must be within the actor's access scope, and in a body the endpoint must allow it. */
  private async checkOwners(
    def: Definition,
    call: NonNullable<AppRequest['call']>,
    actor: Actor,
  ): Promise<void> {
    const inBody = (call.body as { OwnerId?: string } | undefined)?.OwnerId;
    const query = call.query as { OwnerId?: string; filter?: { OwnerId?: string } } | undefined;
    const inFilter = query?.filter?.OwnerId ?? query?.OwnerId;
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

/** The query as it was sent, with its question mark. */
const searchOf = ({ originalUrl }: AppRequest): string => {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at);
};

/** A public endpoint may be open to more with a token. */
const permissionOf = (def: Definition, { headers }: AppRequest) =>
  def.orWith && headers.authorization ? def.orWith : def.can;

type SignerParams = Partial<Record<SignerParam, string>>;

/** True for navigation and cross-site requests, by the Sec-Fetch headers of browsers. Other clients send none. */
function isFromPage({ headers }: AppRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === 'cross-site';
}

/**
 * Parses a query. Unknown parameters are refused, so that a filter that an endpoint does not have is not ignored. Clients send
 * `$scope` and `return` with every call. `_` is that of scripts which keep browsers from caching, `access_token` that of libraries
 * which send a token in the URL too; it signs nobody in.
 */
function readQuery(def: Definition, given: Record<string, unknown>): unknown {
  const { _, access_token, ...query } = given;
  if (def.query) return parse(def.query, query);
  if (!def.anyQuery) parse(Scoped, query);
  return undefined;
}
