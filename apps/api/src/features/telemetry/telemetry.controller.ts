import { Controller, Req } from '@nestjs/common';
import { telemetry, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { visitorOf } from '../../core/http/visitor.ts';
import { ConsentsService } from './consents.service.ts';
import { TelemetryService } from './telemetry.service.ts';
import { TelemetryStore } from './telemetry.store.ts';
import { present } from './visit.entity.ts';

@Controller()
export class TelemetryController {
  constructor(
    private readonly service: TelemetryService,
    private readonly store: TelemetryStore,
    private readonly consents: ConsentsService,
  ) {}

  @Endpoint(telemetry.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof telemetry.find>,
  ): Promise<ResponseOf<typeof telemetry.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map((row) => present(row, actor)) };
  }

  /** Where from, with what and by whom is seen by the server; the address is what the client knows of itself. */
  @Endpoint(telemetry.create)
  async create(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof telemetry.create>,
  ): Promise<ResponseOf<typeof telemetry.create>> {
    const { userId: UserId, OwnerId, actorId } = actor;
    const { url, ...place } = body.data;
    const isNoted = Object.keys(place).length > 0 && (await this.consents.allows(actor));
    const data = { url, ...(isNoted && place), ...(actorId && { actorId }) };
    const visit = { action: body.action, data, UserId, OwnerId };
    return present(await this.service.record(visit, visitorOf(request), actor.sessionId), actor);
  }

  @Endpoint(telemetry.consent)
  consent(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof telemetry.consent>> {
    return this.consents.of(actor);
  }

  /** After `consent`, whose path its own would match. */
  @Endpoint(telemetry.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof telemetry.get>,
  ): Promise<ResponseOf<typeof telemetry.get>> {
    return present(await this.store.get(actor.scope, params.id), actor);
  }

  @Endpoint(telemetry.decide)
  decide(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof telemetry.decide>,
  ): Promise<ResponseOf<typeof telemetry.decide>> {
    return this.consents.decide(actor, body.isAllowed);
  }

  @Endpoint(telemetry.locate)
  async locate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof telemetry.locate>,
  ): Promise<ResponseOf<typeof telemetry.locate>> {
    return present(await this.consents.locate(actor, params.id, body), actor);
  }
}
