import { Controller } from '@nestjs/common';
import { textGenerator, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { TextGeneratorService } from './text-generator.service.ts';

@Controller()
export class TextGeneratorController {
  constructor(private readonly service: TextGeneratorService) {}

  @Endpoint(textGenerator.generate)
  async generate(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof textGenerator.generate>,
  ): Promise<ResponseOf<typeof textGenerator.generate>> {
    return { result: await this.service.generate(actor, body) };
  }
}
