import { Controller } from '@nestjs/common';
import { wapi, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present, type WapiInstance } from './wapi-instance.entity.ts';
import { WapiService } from './wapi.service.ts';
import { WapiStore } from './wapi.store.ts';

type Shown = Promise<ReturnType<typeof present>>;

@Controller()
export class WapiController {
  constructor(
    private readonly service: WapiService,
    private readonly store: WapiStore,
    private readonly owners: Owners,
  ) {}

  @Endpoint(wapi.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof wapi.find>,
  ): Promise<ResponseOf<typeof wapi.find>> {
    const page = await this.store.find(actor.scope, query);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => present(row, actor.level)) };
  }

  @Endpoint(wapi.price)
  price(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof wapi.price>> {
    return this.service.price(actor);
  }

  @Endpoint(wapi.get)
  async get(@CurrentActor() actor: Actor, @Input() { params }: In<typeof wapi.get>): Shown {
    return this.shown(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(wapi.create)
  async create(@CurrentActor() actor: Actor): Shown {
    return this.shown(actor, await this.service.create(actor));
  }

  @Endpoint(wapi.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof wapi.update>,
  ): Shown {
    return this.shown(actor, await this.service.setCanceled(actor, params.id, body.isCanceled));
  }

  @Endpoint(wapi.qr)
  async qr(@CurrentActor() actor: Actor, @Input() { params }: In<typeof wapi.qr>): Shown {
    return this.shown(actor, await this.service.qr(actor, params.id));
  }

  @Endpoint(wapi.logout)
  async logout(@CurrentActor() actor: Actor, @Input() { params }: In<typeof wapi.logout>): Shown {
    return this.shown(actor, await this.service.logout(actor, params.id));
  }

  @Endpoint(wapi.renew)
  async renew(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof wapi.renew>,
  ): Shown {
    return this.shown(actor, await this.service.renew(actor, params.id, body.expiredAt));
  }

  @Endpoint(wapi.activate)
  async activate(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof wapi.activate>,
  ): Shown {
    return this.shown(actor, await this.service.setActive(actor, params.id, body.isActive));
  }

  private async shown(actor: Actor, row: WapiInstance): Shown {
    return present(await this.owners.withOwner(actor.level, row), actor.level);
  }
}
