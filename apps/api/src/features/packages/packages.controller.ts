import { Controller } from '@nestjs/common';
import { packageOffers, packages, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { present } from './message-package.entity.ts';
import { MessagePackagesStore } from './message-packages.store.ts';
import { present as presentOffer } from './package-offer.entity.ts';
import { PackagesService } from './packages.service.ts';

@Controller()
export class PackagesController {
  constructor(
    private readonly service: PackagesService,
    private readonly store: MessagePackagesStore,
  ) {}

  @Endpoint(packageOffers.find)
  async findOffers(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof packageOffers.find>,
  ): Promise<ResponseOf<typeof packageOffers.find>> {
    const page = await this.service.findOffers(actor, query);
    return { ...page, data: await this.service.presentOffers(actor, page.data) };
  }

  @Endpoint(packageOffers.get)
  async getOffer(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof packageOffers.get>,
  ): Promise<ResponseOf<typeof packageOffers.get>> {
    const offer = await this.service.getOffer(actor, params.id);
    return (await this.service.presentOffers(actor, [offer]))[0]!;
  }

  @Endpoint(packageOffers.create)
  async createOffer(
    @Input() { body }: In<typeof packageOffers.create>,
  ): Promise<ResponseOf<typeof packageOffers.create>> {
    return presentOffer(await this.service.createOffer(body));
  }

  @Endpoint(packageOffers.replace)
  async replaceOffer(
    @Input() { params, body }: In<typeof packageOffers.replace>,
  ): Promise<ResponseOf<typeof packageOffers.replace>> {
    return presentOffer(await this.service.replaceOffer(params.id, body));
  }

  @Endpoint(packages.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof packages.find>,
  ): Promise<ResponseOf<typeof packages.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map(present) };
  }

  @Endpoint(packages.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof packages.get>,
  ): Promise<ResponseOf<typeof packages.get>> {
    return present(await this.store.get(actor.scope, params.id));
  }

  @Endpoint(packages.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof packages.create>,
  ): Promise<ResponseOf<typeof packages.create>> {
    return present(await this.service.create(actor, body));
  }
}
