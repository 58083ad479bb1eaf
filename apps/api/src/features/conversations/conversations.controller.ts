import { Controller } from '@nestjs/common';
import { conversations, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { ConversationsService } from './conversations.service.ts';

@Controller()
export class ConversationsController {
  constructor(private readonly service: ConversationsService) {}

  @Endpoint(conversations.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof conversations.find>,
  ): Promise<ResponseOf<typeof conversations.find>> {
    return this.service.find(actor, query);
  }

  @Endpoint(conversations.labels)
  async labels(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof conversations.labels>,
  ): Promise<ResponseOf<typeof conversations.labels>> {
    return { data: await this.service.labels(actor, query.OwnerId) };
  }

  @Endpoint(conversations.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof conversations.get>,
  ): Promise<ResponseOf<typeof conversations.get>> {
    return this.service.get(actor, params.id);
  }

  @Endpoint(conversations.read)
  read(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof conversations.read>,
  ): Promise<ResponseOf<typeof conversations.read>> {
    return this.service.read(actor, params.id, body.messageId);
  }

  @Endpoint(conversations.readAll)
  readAll(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof conversations.readAll>> {
    return this.service.readAll(actor);
  }

  @Endpoint(conversations.assignees)
  async assignees(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof conversations.assignees>,
  ): Promise<ResponseOf<typeof conversations.assignees>> {
    return { data: await this.service.assignees(actor, params.id) };
  }

  @Endpoint(conversations.assign)
  assign(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof conversations.assign>,
  ): Promise<ResponseOf<typeof conversations.assign>> {
    return this.service.assign(actor, params.id, body.AssigneeId);
  }

  @Endpoint(conversations.label)
  label(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof conversations.label>,
  ): Promise<ResponseOf<typeof conversations.label>> {
    return this.service.label(actor, params.id, body.labels);
  }

  @Endpoint(conversations.close)
  close(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof conversations.close>,
  ): Promise<ResponseOf<typeof conversations.close>> {
    return this.service.setState(actor, params.id, 'closed');
  }

  @Endpoint(conversations.reopen)
  reopen(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof conversations.reopen>,
  ): Promise<ResponseOf<typeof conversations.reopen>> {
    return this.service.setState(actor, params.id, 'waiting');
  }
}
