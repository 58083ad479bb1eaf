import { Injectable } from '@nestjs/common';
import type { persons } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { askErasure, erasePerson, erasureOf } from './erase-person.ts';

/** Persons that one sweep rings for. */
const SOME = 100;

/** Who asks an account to be forgotten is, by a worker: there may be years of messages. */
@Injectable()
export class PersonsService {
  constructor(
    private readonly db: Db,
    private readonly jobs: Jobs,
    private readonly events: Events,
  ) {}

  /** In its own account, or in any by who administers the installation. */
  erase(
    actor: Actor,
    { address, OwnerId = actor.OwnerId }: In<typeof persons.erase>['body'],
  ): Promise<{ word: string }> {
    if (OwnerId !== actor.OwnerId && actor.scope.kind !== 'all') throw new AppError('forbidden');
    return this.db.transaction(async () => {
      const { id, word } = await askErasure(this.db, { OwnerId, address });
      this.jobs.enqueue('person.erase', { erasureId: id });
      return { word };
    });
  }

  @HandlesJob('person.erase')
  async run({ erasureId }: { erasureId: string }): Promise<void> {
    const erasure = await erasureOf(this.db, erasureId);
    if (!erasure) return;
    const { OwnerId } = erasure;
    const { contacts, messages } = await erasePerson(this.db, erasure);
    for (const { ListId, n } of contacts) {
      this.events.changed('contactLists', 'updated', OwnerId, ListId);
      this.events.counted('contacts', 'removed', OwnerId, ListId, n);
    }
    if (messages) this.events.counted('sendings', 'updated', OwnerId, null, messages);
  }

  /** Whose messages were under way may be forgotten by now. */
  @Sweeps(5000)
  async sweep(): Promise<void> {
    const due = await this.db.query<{ id: string }>(
      `select id from erasures where due_at <= now() order by due_at limit ${SOME}`,
    );
    for (const { id } of due) this.jobs.enqueueOnce('person.erase', { erasureId: id });
  }
}
