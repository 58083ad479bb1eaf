import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  can,
  type Conversation,
  type ConversationState,
  type ConversationUser,
  type conversations,
  type Page,
} from '@heliograph/contract';
import { distinctTags, typeOf } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import {
  may,
  ownScope,
  personOf,
  rightsOf,
  systemScope,
  type Actor,
} from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { Retention } from '../../core/retention.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { present, type ConversationRow, type Person } from './conversation.ts';
import { ConversationsStore } from './conversations.store.ts';

export type { ConversationRow } from './conversation.ts';

/** Assignments to others by one account per hour: each is told of. */
const MAX_TOLD = 600;

@Injectable()
export class ConversationsService implements OnModuleInit {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly store: ConversationsStore,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly owners: Owners,
    private readonly settings: SettingsService,
    private readonly config: Config,
    private readonly retention: Retention,
    limits: RateLimits,
  ) {
    this.limit = limits.of('assignments', MAX_TOLD, 3600);
  }

  onModuleInit(): void {
    this.events.present(
      'conversations',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  async find(
    actor: Actor,
    query: In<typeof conversations.find>['query'],
  ): Promise<Page<Conversation>> {
    const { filter } = query;
    const country = await this.settings.countryOf(filter.OwnerId ?? actor.OwnerId);
    // Users answer for their own account.
    const isOwn = filter.assigned === 'me' && !filter.OwnerId;
    const given = isOwn ? { ...query, filter: { ...filter, OwnerId: actor.OwnerId } } : query;
    const page = await this.store.find(actor, given, country);
    return { ...page, data: await this.presented(actor, page.data) };
  }

  async get(actor: Actor, id: string): Promise<Conversation> {
    const row = await this.store.get(actor.scope, id);
    const [conversation] = await this.presented(actor, [row]);
    const channels = await this.store.channelsOf(row);
    const optOuts = await this.store.optOutsOf(row);
    return {
      ...conversation!,
      channels: channels.map(({ type, sender }) => ({ type: typeOf(type), sender })),
      optOuts: optOuts.map((type) => (type ? typeOf(type) : null)),
    };
  }

  row(actor: Actor, id: string): Promise<ConversationRow> {
    return this.store.get(actor.scope, id);
  }

  read(actor: Actor, id: string, seen: string | undefined): Promise<Conversation> {
    return this.change(actor, id, () => this.store.markRead(id, seen ?? null));
  }

  setState(actor: Actor, id: string, state: ConversationState): Promise<Conversation> {
    return this.change(actor, id, () => this.store.setState(id, state));
  }

  label(actor: Actor, id: string, labels: string[]): Promise<Conversation> {
    return this.change(actor, id, () => this.store.setLabels(id, distinctTags(labels)));
  }

  labels({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<string[]> {
    return this.store.labelsOf(scope, OwnerId);
  }

  /** Those who may read the conversations of its account. */
  async assignees(actor: Actor, id: string): Promise<ConversationUser[]> {
    const { OwnerId } = await this.store.get(actor.scope, id);
    return this.readers(OwnerId, null);
  }

  /** Throws `validation` if the user may not read it. A user to whom somebody else assigns it is notified. */
  async assign(actor: Actor, id: string, AssigneeId: string | null): Promise<Conversation> {
    if (AssigneeId && AssigneeId !== personOf(actor)) await take(this.limit, actor.OwnerId);
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.get(actor.scope, id);
      // Before the conversation, in the order in which a removal of the user locks them.
      if (AssigneeId && !(await this.readers(OwnerId, AssigneeId)).length)
        throw invalid(
          'AssigneeId',
          'invalid_value',
          'This user does not read conversations of the account.',
        );
      return this.change(actor, id, async () => {
        const changed = await this.store.setAssignee(id, AssigneeId);
        if (changed && AssigneeId) await this.tell(actor, { id, OwnerId }, AssigneeId);
        return changed;
      });
    });
  }

  /** A user who no longer reads the conversations of its account answers none, in the transaction of the caller that has changed the user. */
  async release(OwnerId: string, userId: string): Promise<void> {
    for (const { id } of await this.store.release(OwnerId, userId))
      this.events.changed('conversations', 'updated', OwnerId, id);
  }

  /** Of the actor's account, a portion at a time. */
  readAll({ OwnerId }: Actor): Promise<{ read: number; hasMore: boolean }> {
    return this.db.transaction(async () => {
      const marked = await this.store.markAllRead(OwnerId);
      if (marked.read) this.events.counted('conversations', 'updated', OwnerId, null, marked.read);
      return marked;
    });
  }

  /** Incoming messages, in the transaction that stores them. One that only ends or starts messages does not wait for an answer. */
  async received(
    messages: (Person & {
      messageId: string;
      type: number;
      sender: string;
      waits: boolean;
      at: Date;
    })[],
  ): Promise<void> {
    if (!messages.length) return;
    const rows = messages.map(({ at, ...message }) => ({ ...message, id: uuidv7(at) }));
    for (const { id, OwnerId, isNew } of await this.store.received(rows))
      this.events.changed('conversations', isNew ? 'created' : 'updated', OwnerId, id);
  }

  /** The conversation within the scope, locked until the transaction ends. */
  lock(actor: Actor, id: string): Promise<ConversationRow> {
    return this.store.lock(actor.scope, id);
  }

  /** An accepted reply. `seen` is the last message that its author has seen; undefined: all of them. */
  async replied(
    { id, OwnerId }: ConversationRow,
    replyId: string,
    seen: string | undefined,
  ): Promise<void> {
    await this.store.replied(id, replyId, seen ?? null);
    this.events.changed('conversations', 'updated', OwnerId, id);
  }

  /** The conversations with people wait for an answer again, in the transaction of the caller. */
  async markWaiting(OwnerId: string, addresses: string[]): Promise<void> {
    for (const { id } of await this.store.markWaiting(OwnerId, addresses))
      this.events.changed('conversations', 'updated', OwnerId, id);
  }

  /** The texts of an older conversation are deleted already. */
  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('conversations', this.config.RETENTION_TEXTS_DAYS, 'last_id');
  }

  private change(actor: Actor, id: string, change: () => Promise<number>): Promise<Conversation> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      if (await change()) this.events.changed('conversations', 'updated', OwnerId, id);
      const [conversation] = await this.presented(actor, [
        await this.store.get(ownScope(OwnerId), id),
      ]);
      return conversation!;
    });
  }

  private async readers(OwnerId: string, id: string | null): Promise<ConversationUser[]> {
    const users = await this.store.usersOf(OwnerId, id);
    return users
      .filter((user) => can(rightsOf(user).permissions, 'sendingsIncoming.get'))
      .map(({ id, name }) => ({ id, name }));
  }

  private async tell(
    actor: Actor,
    { id, OwnerId }: Pick<ConversationRow, 'id' | 'OwnerId'>,
    AssigneeId: string,
  ): Promise<void> {
    const by = personOf(actor);
    if (by === AssigneeId) return;
    const data = { id, by: await this.owners.usernameOf(by) };
    await this.notifications.notify(OwnerId, 'ConversationAssigned', data, AssigneeId);
  }

  private async presented(actor: Actor, rows: ConversationRow[]): Promise<Conversation[]> {
    const named = may(actor, 'contacts.get') ? await this.store.namesOf(rows) : null;
    const names = named && new Map(named.map((p) => [`${p.OwnerId} ${p.address}`, p.name]));
    const owned = await this.owners.withOwners(actor.level, rows);
    const readsReplies = may(actor, 'sendings.get');
    return owned.map((row) => ({
      ...present(row.isLastIncoming || readsReplies ? row : { ...row, text: null }, actor.level),
      ...(names && { contact: names.get(`${row.OwnerId} ${row.address}`) ?? null }),
    }));
  }
}
