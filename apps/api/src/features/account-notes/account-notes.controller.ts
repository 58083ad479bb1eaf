import { Controller } from '@nestjs/common';
import { accountNotes, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { AccountNotesService } from './account-notes.service.ts';

@Controller()
export class AccountNotesController {
  constructor(private readonly service: AccountNotesService) {}

  @Endpoint(accountNotes.find)
  find(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof accountNotes.find>,
  ): Promise<ResponseOf<typeof accountNotes.find>> {
    return this.service.find(actor, params.id, query);
  }

  @Endpoint(accountNotes.create)
  create(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof accountNotes.create>,
  ): Promise<ResponseOf<typeof accountNotes.create>> {
    return this.service.create(actor, params.id, body.text);
  }

  @Endpoint(accountNotes.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof accountNotes.update>,
  ): Promise<ResponseOf<typeof accountNotes.update>> {
    return this.service.update(actor, params.id, params.noteId, body.text);
  }

  @Endpoint(accountNotes.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof accountNotes.remove>,
  ): Promise<ResponseOf<typeof accountNotes.remove>> {
    return this.service.remove(actor, params.id, params.noteId);
  }
}
