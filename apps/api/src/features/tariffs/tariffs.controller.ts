import { Controller } from '@nestjs/common';
import { tariffs, type ResponseOf } from '@heliograph/contract';
import { ownScope, type Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { CatalogueService } from './catalogue.service.ts';
import { present } from './tariff.entity.ts';
import { TariffsStore } from './tariffs.store.ts';

@Controller()
export class TariffsController {
  constructor(
    private readonly store: TariffsStore,
    private readonly catalogueService: CatalogueService,
  ) {}

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

  @Endpoint(tariffs.catalogue)
  catalogue(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof tariffs.catalogue>,
  ): Promise<ResponseOf<typeof tariffs.catalogue>> {
    return this.catalogueService.find(actor, query);
  }

  @Endpoint(tariffs.catalogueGet)
  catalogueGet(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tariffs.catalogueGet>,
  ): Promise<ResponseOf<typeof tariffs.catalogueGet>> {
    return this.catalogueService.get(actor, params.id);
  }

  @Endpoint(tariffs.versions)
  versions(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof tariffs.versions>,
  ): Promise<ResponseOf<typeof tariffs.versions>> {
    return this.catalogueService.versions(actor, params.id, query);
  }

  @Endpoint(tariffs.withdraw)
  withdraw(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tariffs.withdraw>,
  ): Promise<ResponseOf<typeof tariffs.withdraw>> {
    return this.catalogueService.withdraw(actor, params.id, params.number);
  }

  @Endpoint(tariffs.create)
  create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tariffs.create>,
  ): Promise<ResponseOf<typeof tariffs.create>> {
    return this.catalogueService.create(actor, body);
  }

  @Endpoint(tariffs.replace)
  replace(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof tariffs.replace>,
  ): Promise<ResponseOf<typeof tariffs.replace>> {
    return this.catalogueService.replace(actor, params.id, body);
  }

  @Endpoint(tariffs.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tariffs.remove>,
  ): Promise<ResponseOf<typeof tariffs.remove>> {
    return this.catalogueService.remove(actor, params.id);
  }

  @Endpoint(tariffs.assign)
  async assign(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof tariffs.assign>,
  ): Promise<ResponseOf<typeof tariffs.assign>> {
    return { data: await this.catalogueService.assign(actor, params.id, body.tariffs) };
  }
}
