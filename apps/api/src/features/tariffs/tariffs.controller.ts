import { Controller } from '@nestjs/common';
import { tariffs, type ResponseOf } from '@heliograph/contract';
import { ownScope, type Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present } from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

@Controller()
export class TariffsController {
  constructor(private readonly store: TariffsStore) {}

  @Endpoint(tariffs.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof tariffs.find>,
  ): Promise<ResponseOf<typeof tariffs.find>> {
    const OwnerId = query.filter.OwnerId ?? actor.OwnerId;
    const page = await this.store.find(ownScope(OwnerId), query);
    const held = await this.store.held(OwnerId);
    return { ...page, data: page.data.map((row) => present(row, held)) };
  }

  /** Of another account, without the prices that the own account has not. */
  @Endpoint(tariffs.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tariffs.get>,
  ): Promise<ResponseOf<typeof tariffs.get>> {
    const row = await this.store.get(actor.scope, params.id);
    return present(row, await this.store.held(actor.OwnerId));
  }
}
