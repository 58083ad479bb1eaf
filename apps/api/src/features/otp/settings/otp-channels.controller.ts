import { Controller } from '@nestjs/common';
import { otpChannels, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { presentChannel, type OtpChannel } from './otp-channel.entity.ts';
import { OtpChannelsService } from './otp-channels.service.ts';
import { OtpChannelsStore } from './otp-channels.store.ts';

@Controller()
export class OtpChannelsController {
  constructor(
    private readonly service: OtpChannelsService,
    private readonly store: OtpChannelsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(otpChannels.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof otpChannels.find>,
  ): Promise<ResponseOf<typeof otpChannels.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentChannel(row, actor.level)) };
  }

  @Endpoint(otpChannels.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpChannels.get>,
  ): Promise<ResponseOf<typeof otpChannels.get>> {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(otpChannels.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof otpChannels.create>,
  ): Promise<ResponseOf<typeof otpChannels.create>> {
    return this.shown(actor, await this.service.create(actor, body));
  }

  @Endpoint(otpChannels.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof otpChannels.update>,
  ): Promise<ResponseOf<typeof otpChannels.update>> {
    return this.shown(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(otpChannels.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpChannels.remove>,
  ): Promise<ResponseOf<typeof otpChannels.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(actor: Actor, row: OtpChannel): Promise<ResponseOf<typeof otpChannels.get>> {
    return presentChannel(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
