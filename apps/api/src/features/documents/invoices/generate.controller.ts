import { Controller } from '@nestjs/common';
import { documentTemplates, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { GenerateService } from './generate.service.ts';

@Controller()
export class GenerateController {
  constructor(private readonly service: GenerateService) {}

  @Endpoint(documentTemplates.generateGet)
  generateGet(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof documentTemplates.generateGet>,
  ): Promise<ResponseOf<typeof documentTemplates.generateGet>> {
    return this.service.generate(actor, query);
  }

  @Endpoint(documentTemplates.generate)
  generate(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof documentTemplates.generate>,
  ): Promise<ResponseOf<typeof documentTemplates.generate>> {
    return this.service.generate(actor, body);
  }
}
