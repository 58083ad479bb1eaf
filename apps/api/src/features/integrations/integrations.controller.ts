import { Controller, Req, Res } from '@nestjs/common';
import { integrations, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import {
  CurrentActor,
  Endpoint,
  Input,
  type AppRequest,
  type In,
} from '../../core/http/endpoint.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Bitrix24Service } from './bitrix24.service.ts';
import { InboundService } from './inbound.service.ts';
import { present, type Integration } from './integration.entity.ts';
import { IntegrationsService } from './integrations.service.ts';
import { IntegrationsStore } from './integrations.store.ts';

@Controller()
export class IntegrationsController {
  constructor(
    private readonly service: IntegrationsService,
    private readonly inbound: InboundService,
    private readonly bitrix24: Bitrix24Service,
    private readonly store: IntegrationsStore,
    private readonly owners: Owners,
    private readonly rates: RequestRates,
  ) {}

  @Endpoint(integrations.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof integrations.find>,
  ): Promise<ResponseOf<typeof integrations.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.shown(actor, page.data) };
  }

  @Endpoint(integrations.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof integrations.get>,
  ): Promise<ResponseOf<typeof integrations.get>> {
    return this.one(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(integrations.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof integrations.create>,
  ): Promise<ResponseOf<typeof integrations.create>> {
    const { row, url } = await this.service.create(actor, body);
    return { ...(await this.one(actor, row)), url };
  }

  @Endpoint(integrations.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof integrations.update>,
  ): Promise<ResponseOf<typeof integrations.update>> {
    return this.one(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(integrations.rotate)
  async rotate(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof integrations.rotate>,
  ): Promise<ResponseOf<typeof integrations.rotate>> {
    const { row, url } = await this.service.rotate(actor, params.id);
    return { ...(await this.one(actor, row)), url };
  }

  @Endpoint(integrations.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof integrations.remove>,
  ): Promise<ResponseOf<typeof integrations.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(integrations.receive)
  async receive(
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Input() { params, body }: In<typeof integrations.receive>,
  ): Promise<ResponseOf<typeof integrations.receive>> {
    const row = await this.rates.countRefusals(request, response, () =>
      this.service.authenticate(params, 'crm'),
    );
    const accepted = await this.inbound.receive(row, body);
    const { id, status, error } = accepted?.receipt ?? { id: null, status: null, error: null };
    return { id, status, error, isRepeated: accepted?.isRepeated ?? false };
  }

  @Endpoint(integrations.bitrix24)
  async receiveFromBitrix24(
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Input() input: In<typeof integrations.bitrix24>,
  ): Promise<ResponseOf<typeof integrations.bitrix24>> {
    await this.rates.countRefusals(request, response, async () => {
      const row = await this.service.authenticate(input.params, 'bitrix24');
      await this.bitrix24.receive(row, input);
    });
    return { result: true };
  }

  private async one(actor: Actor, row: Integration) {
    return (await this.shown(actor, [row]))[0]!;
  }

  private async shown(actor: Actor, rows: Integration[]) {
    const owned = await this.owners.withOwners(actor.level, rows);
    const complete = await this.service.withReports(owned);
    return complete.map((row) => present(row, actor.level));
  }
}
