import { Controller } from '@nestjs/common';
import { analytics, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { AnalyticsService } from './analytics.service.ts';

@Controller()
export class AnalyticsController {
  constructor(private readonly service: AnalyticsService) {}

  @Endpoint(analytics.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof analytics.get>,
  ): Promise<ResponseOf<typeof analytics.get>> {
    return this.service.get(actor, query);
  }
}
