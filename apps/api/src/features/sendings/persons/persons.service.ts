import { Injectable } from '@nestjs/common';
import type { persons } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { erasePerson, requestErasure } from './erase-person.ts';
import { PersonsStore } from './persons.store.ts';

/** Erasures that one sweep enqueues. */
const SWEEP_BATCH_SIZE = 100;

/** Erases a person's data on request. A worker does it, because there may be years of messages. */
@Injectable()
export class PersonsService {
  constructor(
    private readonly db: Db,
    private readonly store: PersonsStore,
    private readonly jobs: Jobs,
    private readonly events: Events,
  ) {}

  /** In the actor's account; an administrator of the installation may name another. */
  erase(
    actor: Actor,
    { address, OwnerId = actor.OwnerId }: In<typeof persons.erase>['body'],
  ): Promise<{ word: string }> {
    if (OwnerId !== actor.OwnerId && actor.scope.kind !== 'all')
      throw new AppError('forbidden', 'Only administrators can erase persons of other accounts');
    return this.db.transaction(async () => {
      const { id, word } = await requestErasure(this.db, { OwnerId, address });
      this.jobs.enqueue('person.erase', { erasureId: id });
      return { word };
    });
  }

  @HandlesJob('person.erase')
  async run({ erasureId }: { erasureId: string }): Promise<void> {
    const erasure = await this.store.find(erasureId);
    if (!erasure) return;
    const { OwnerId } = erasure;
    const { contacts, conversation, messages } = await erasePerson(this.db, erasure);
    for (const { ListId, count } of contacts) {
      this.events.changed('contactLists', 'updated', OwnerId, ListId);
      this.events.counted('contacts', 'removed', OwnerId, ListId, count);
    }
    if (conversation) this.events.changed('conversations', 'removed', OwnerId, conversation);
    if (messages) this.events.counted('sendings', 'updated', OwnerId, null, messages);
  }

  /** Messages that were under way may be finished by now. */
  @Sweeps(5000)
  async sweep(): Promise<void> {
    for (const { id } of await this.store.due(SWEEP_BATCH_SIZE))
      this.jobs.enqueueOnce('person.erase', { erasureId: id });
  }
}
