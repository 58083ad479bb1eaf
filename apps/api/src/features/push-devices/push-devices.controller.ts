import { Controller } from '@nestjs/common';
import { pushDevices, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { present } from './push-device.entity.ts';
import { PushDevicesService } from './push-devices.service.ts';
import { PushDevicesStore } from './push-devices.store.ts';

@Controller()
export class PushDevicesController {
  constructor(
    private readonly service: PushDevicesService,
    private readonly store: PushDevicesStore,
    private readonly owners: Owners,
    private readonly settings: SettingsService,
  ) {}

  @Endpoint(pushDevices.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof pushDevices.find>,
  ): Promise<ResponseOf<typeof pushDevices.find>> {
    const country = await this.settings.countryOf(query.filter.OwnerId ?? actor.OwnerId);
    const page = await this.store.find(actor.scope, query, country);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(pushDevices.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof pushDevices.create>,
  ): Promise<ResponseOf<typeof pushDevices.create>> {
    const row = await this.service.register(actor, body);
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }

  @Endpoint(pushDevices.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof pushDevices.remove>,
  ): Promise<ResponseOf<typeof pushDevices.remove>> {
    return this.service.remove(actor, params.id);
  }
}
