import { Controller } from '@nestjs/common';
import { tasks, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../../core/http/endpoint.ts';
import { TaskOutcomeService } from './task-outcome.service.ts';

@Controller()
export class TaskOutcomeController {
  constructor(private readonly service: TaskOutcomeService) {}

  @Endpoint(tasks.outcome)
  outcome(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof tasks.outcome>,
  ): Promise<ResponseOf<typeof tasks.outcome>> {
    return this.service.get(actor, params.id);
  }
}
