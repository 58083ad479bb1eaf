import { Controller } from '@nestjs/common';
import { otpTemplates, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { presentTemplate, type OtpTemplate } from './otp-template.entity.ts';
import { OtpTemplatesService } from './otp-templates.service.ts';
import { OtpTemplatesStore } from './otp-templates.store.ts';

@Controller()
export class OtpTemplatesController {
  constructor(
    private readonly service: OtpTemplatesService,
    private readonly store: OtpTemplatesStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(otpTemplates.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof otpTemplates.find>,
  ): Promise<ResponseOf<typeof otpTemplates.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentTemplate(row, actor.level)) };
  }

  @Endpoint(otpTemplates.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpTemplates.get>,
  ): Promise<ResponseOf<typeof otpTemplates.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(otpTemplates.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof otpTemplates.create>,
  ): Promise<ResponseOf<typeof otpTemplates.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(otpTemplates.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof otpTemplates.update>,
  ): Promise<ResponseOf<typeof otpTemplates.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(otpTemplates.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpTemplates.remove>,
  ): Promise<ResponseOf<typeof otpTemplates.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(
    actor: Actor,
    row: OtpTemplate,
  ): Promise<ResponseOf<typeof otpTemplates.get>> {
    return presentTemplate(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
