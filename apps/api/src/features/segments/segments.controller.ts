import { Controller } from '@nestjs/common';
import { segmentNeeds, segments, type ResponseOf } from '@heliograph/contract';
import { requireAll, type Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { present } from './segment.entity.ts';
import { SegmentsService } from './segments.service.ts';
import { SegmentsStore } from './segments.store.ts';

@Controller()
export class SegmentsController {
  constructor(
    private readonly service: SegmentsService,
    private readonly store: SegmentsStore,
  ) {}

  @Endpoint(segments.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof segments.find>,
  ): Promise<ResponseOf<typeof segments.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: page.data.map(present) };
  }

  @Endpoint(segments.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof segments.get>,
  ): Promise<ResponseOf<typeof segments.get>> {
    return present(await this.store.get(actor.scope, params.id));
  }

  @Endpoint(segments.count)
  async count(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof segments.count>,
  ): Promise<ResponseOf<typeof segments.count>> {
    const { OwnerId, where, activity } = await this.store.get(actor.scope, params.id);
    requireAll(actor, segmentNeeds({ where, activity }));
    return this.service.count(OwnerId, { where, activity });
  }

  @Endpoint(segments.preview)
  preview(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof segments.preview>,
  ): Promise<ResponseOf<typeof segments.preview>> {
    return this.service.preview(actor, body);
  }

  @Endpoint(segments.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof segments.create>,
  ): Promise<ResponseOf<typeof segments.create>> {
    return present(await this.service.create(actor, body));
  }

  @Endpoint(segments.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof segments.update>,
  ): Promise<ResponseOf<typeof segments.update>> {
    return present(await this.service.update(actor, params.id, body));
  }

  @Endpoint(segments.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof segments.remove>,
  ): Promise<ResponseOf<typeof segments.remove>> {
    return this.service.remove(actor, params.id);
  }
}
