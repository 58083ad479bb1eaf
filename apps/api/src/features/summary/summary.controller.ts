import { Controller } from '@nestjs/common';
import { summary, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { SummaryService } from './summary.service.ts';

@Controller()
export class SummaryController {
  constructor(private readonly service: SummaryService) {}

  @Endpoint(summary.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof summary.get>,
  ): Promise<ResponseOf<typeof summary.get>> {
    return this.service.of(actor, query);
  }
}
