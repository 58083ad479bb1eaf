import { Controller } from '@nestjs/common';
import { tts, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { TtsService } from './tts.service.ts';

@Controller()
export class TtsController {
  constructor(private readonly service: TtsService) {}

  @Endpoint(tts.generate)
  async generate(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof tts.generate>,
  ): Promise<ResponseOf<typeof tts.generate>> {
    return { fileId: await this.service.generate(actor, body) };
  }
}
