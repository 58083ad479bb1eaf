import { Controller } from '@nestjs/common';
import { links, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present } from './link.entity.ts';
import { LinksService } from './links.service.ts';
import { LinksStore } from './links.store.ts';

@Controller()
export class LinksController {
  constructor(
    private readonly service: LinksService,
    private readonly store: LinksStore,
    private readonly config: Config,
  ) {}

  @Endpoint(links.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof links.find>,
  ): Promise<ResponseOf<typeof links.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map((row) => present(row, this.config.linksUrl)) };
  }

  @Endpoint(links.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof links.get>,
  ): Promise<ResponseOf<typeof links.get>> {
    return present(await this.store.get(actor.scope, params.id), this.config.linksUrl);
  }

  @Endpoint(links.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof links.create>,
  ): Promise<ResponseOf<typeof links.create>> {
    return present(await this.service.create(actor, body.url), this.config.linksUrl);
  }

  @Endpoint(links.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof links.remove>,
  ): Promise<ResponseOf<typeof links.remove>> {
    return this.service.remove(actor, params.id);
  }
}
