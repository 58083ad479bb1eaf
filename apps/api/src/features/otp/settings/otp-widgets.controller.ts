import { Controller } from '@nestjs/common';
import { otpWidgets, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { OtpStatisticsService } from './otp-statistics.service.ts';
import { presentWidget, type OtpWidget } from './otp-widget.entity.ts';
import { OtpWidgetsService } from './otp-widgets.service.ts';
import { OtpWidgetsStore } from './otp-widgets.store.ts';

@Controller()
export class OtpWidgetsController {
  constructor(
    private readonly service: OtpWidgetsService,
    private readonly figures: OtpStatisticsService,
    private readonly store: OtpWidgetsStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(otpWidgets.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof otpWidgets.find>,
  ): Promise<ResponseOf<typeof otpWidgets.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.shown(actor, page.data) };
  }

  @Endpoint(otpWidgets.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpWidgets.get>,
  ): Promise<ResponseOf<typeof otpWidgets.get>> {
    return this.one(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(otpWidgets.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof otpWidgets.create>,
  ): Promise<ResponseOf<typeof otpWidgets.create>> {
    return this.one(actor, await this.service.create(actor, body));
  }

  @Endpoint(otpWidgets.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof otpWidgets.update>,
  ): Promise<ResponseOf<typeof otpWidgets.update>> {
    return this.one(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(otpWidgets.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpWidgets.remove>,
  ): Promise<ResponseOf<typeof otpWidgets.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(otpWidgets.setChannels)
  async setChannels(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof otpWidgets.setChannels>,
  ): Promise<ResponseOf<typeof otpWidgets.setChannels>> {
    const { otpWidgetChannelSettings: channels } = body;
    return {
      otpWidgetChannelSettings: await this.service.setChannels(actor, params.id, channels),
    };
  }

  @Endpoint(otpWidgets.statistics)
  async statistics(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof otpWidgets.statistics>,
  ): Promise<ResponseOf<typeof otpWidgets.statistics>> {
    const { id } = await this.store.get(actor.scope, params.id);
    return this.figures.ofWidget(id, query);
  }

  @Endpoint(otpWidgets.prefixes)
  async prefixes(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof otpWidgets.prefixes>> {
    return { data: await this.figures.prefixes(actor.OwnerId) };
  }

  @Endpoint(otpWidgets.unblockPrefix)
  async unblockPrefix(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof otpWidgets.unblockPrefix>,
  ): Promise<ResponseOf<typeof otpWidgets.unblockPrefix>> {
    return { prefix: await this.figures.unblock(actor, params.prefix) };
  }

  private async shown(actor: Actor, rows: OtpWidget[]) {
    const channels = await this.store.channelsOf(rows.map(({ id }) => id));
    const owned = await this.owners.withOwners(actor.level, rows);
    return owned.map((row) => presentWidget(row, actor.level, channels.get(row.id)!));
  }

  private async one(actor: Actor, row: OtpWidget) {
    return (await this.shown(actor, [row]))[0]!;
  }
}
