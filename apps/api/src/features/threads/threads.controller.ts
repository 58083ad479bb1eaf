import { Controller, Res } from '@nestjs/common';
import { conversations, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ThreadsService } from './threads.service.ts';

@Controller()
export class ThreadsController {
  constructor(private readonly service: ThreadsService) {}

  @Endpoint(conversations.messages)
  messages(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof conversations.messages>,
  ): Promise<ResponseOf<typeof conversations.messages>> {
    return this.service.messages(actor, params.id, query);
  }

  @Endpoint(conversations.reply)
  async reply(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof conversations.reply>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResponseOf<typeof conversations.reply>> {
    const receipt = await this.service.reply(actor, params.id, body);
    if (receipt.error) response.status(400);
    return receipt;
  }

  @Endpoint(conversations.note)
  note(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof conversations.note>,
  ): Promise<ResponseOf<typeof conversations.note>> {
    return this.service.note(actor, params.id, body.text);
  }

  @Endpoint(conversations.removeNote)
  removeNote(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof conversations.removeNote>,
  ): Promise<ResponseOf<typeof conversations.removeNote>> {
    return this.service.removeNote(actor, params.id, params.noteId);
  }
}
