import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, Page, SendingIncoming, sendingsIncoming } from '@heliograph/contract';
import { systemScope, type AccessScope, type Actor } from '../../core/auth/actor.ts';
import { earliestOf } from '../../core/auth/date-limits.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Outbox, type StoredEvent } from '../../core/outbox.ts';
import { Retention } from '../../core/retention.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { ConversationsService } from '../conversations/conversations.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { AddedBy, NewIncoming, Origin } from './incoming.ts';
import { IncomingQueueStore } from './incoming-queue.store.ts';
import {
  eventOf,
  IncomingStore,
  presentIncoming,
  type IncomingRow,
} from './sendings-incoming.store.ts';

export type { AddedBy, NewIncoming, Origin } from './incoming.ts';
export type { IncomingRow } from './sendings-incoming.store.ts';

/** A message that waits for the rules of its account. */
export type QueuedMessage = AddedBy & { row: IncomingRow };

@Injectable()
export class IncomingService implements OnModuleInit {
  constructor(
    private readonly store: IncomingStore,
    private readonly queue: IncomingQueueStore,
    private readonly events: Events,
    private readonly settings: SettingsService,
    private readonly owners: Owners,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly retention: Retention,
    private readonly outbox: Outbox,
    private readonly conversations: ConversationsService,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'sendingsIncoming',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      presentIncoming,
    );
    this.outbox.complete('sendingsIncoming.created', (_, events) => this.eventData(events));
  }

  async find(
    actor: Actor,
    query: In<typeof sendingsIncoming.find>['query'],
  ): Promise<Page<SendingIncoming>> {
    const { createdAt, updatedAt } = query.range;
    const [earliest] = [createdAt ?? updatedAt, updatedAt].map((range) =>
      earliestOf(actor, range, this.clock.now()),
    ) as [string, string];
    const range = { ...query.range, createdAt: { ...createdAt, $gt: createdAt?.$gt ?? earliest } };
    const country = await this.settings.countryOf(query.filter.OwnerId ?? actor.OwnerId);
    const page = await this.store.find(actor.scope, { ...query, range }, country);
    const rows = await this.owners.withOwners(actor.level, page.data);
    return { ...page, data: rows.map((row) => presentIncoming(row, actor.level)) };
  }

  async presented(scope: AccessScope, id: string, level: Level): Promise<SendingIncoming> {
    const row = await this.owners.withOwner(level, await this.store.get(scope, id));
    return presentIncoming(row, level);
  }

  async presentedAll(scope: AccessScope, ids: string[], level: Level): Promise<SendingIncoming[]> {
    const rows = await this.owners.withOwners(level, await this.store.byIds(scope, ids));
    return rows.map((row) => presentIncoming(row, level));
  }

  /** An incoming message holds nothing but its text, so the row is deleted. */
  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('sendings_incoming', this.config.RETENTION_TEXTS_DAYS);
  }

  /**
   * Stores messages and returns their ids, null for those that the carrier has delivered before. One that `isQueued` is for the rules
   * of its account.
   */
  async record(
    messages: (NewIncoming & { at: Date; isQueued: boolean })[],
  ): Promise<(string | null)[]> {
    const rows = messages.map(({ at, ...message }) => ({ ...message, at, id: uuidv7(at) }));
    const written = await this.store.create(rows.map(({ at: _, ...row }) => row));
    const created = rows.filter(({ id }) => written.has(id));
    for (const { OwnerId, id } of created)
      this.events.changed('sendingsIncoming', 'created', OwnerId, id);
    await this.conversations.received(
      created.map(({ id, OwnerId, from, to, type, at, isQueued }) => ({
        OwnerId,
        address: from,
        messageId: id,
        type,
        sender: to,
        waits: isQueued,
        at,
      })),
    );
    await this.outbox.add(
      'sendingsIncoming.created',
      created.map(({ OwnerId, id }) => ({ OwnerId, key: id, data: null })),
    );
    return rows.map(({ id }) => (written.has(id) ? id : null));
  }

  /** The id of a message that its carrier has delivered before. */
  idByOrigin(origin: Origin): Promise<string> {
    return this.store.idByOrigin(origin);
  }

  /** Accounts whose messages wait for their rules. */
  queuedOwners(): Promise<string[]> {
    return this.queue.owners();
  }

  /** Removes the first messages of an account from the queue and returns them. In the transaction that handles them. */
  async takeQueued(OwnerId: string, limit: number): Promise<QueuedMessage[]> {
    const queued = await this.queue.take(OwnerId, limit);
    const ids = queued.map(({ id }) => id);
    const rows = ids.length ? await this.store.byIds(systemScope, ids) : [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    return queued
      .flatMap(({ id, ...addedBy }) => (byId.has(id) ? [{ row: byId.get(id)!, ...addedBy }] : []))
      .sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  }

  /** Counts a failure of the first message of an account. False if it was the last try, which removes the message. */
  postponeQueued(OwnerId: string): Promise<boolean> {
    return this.queue.postpone(OwnerId);
  }

  /** The `data` of webhook events about messages, by their keys. */
  async eventData(events: StoredEvent[]): Promise<(Record<string, unknown> | null)[]> {
    const rows = await this.store.byIds(
      systemScope,
      events.map(({ key }) => key),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return events.map(({ key }) => {
      const row = byId.get(key);
      return row ? eventOf(row) : null;
    });
  }
}
