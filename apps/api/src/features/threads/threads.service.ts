import { Injectable } from '@nestjs/common';
import {
  SendingInput,
  type conversations,
  type ConversationMessage,
  type ConversationNote,
  type SendingReceipt,
} from '@heliograph/contract';
import { literalText, typeOf } from '@heliograph/domain';
import { may, ownScope, personOf, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { parseWith } from '../../core/http/sentences.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Quotas } from '../../core/quotas.ts';
import { Retention } from '../../core/retention.ts';
import { ConversationsService } from '../conversations/conversations.service.ts';
import { IncomingService } from '../sendings-incoming/sendings-incoming.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { NOTES_QUOTA, NotesStore, type NoteRow } from './notes.store.ts';
import { ThreadsStore, type ThreadEntry } from './threads.store.ts';

type MessagesQuery = In<typeof conversations.messages>['query'];
type Reply = In<typeof conversations.reply>['body'];

/** The messages of a conversation, replies in it, and the notes of its team. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly db: Db,
    private readonly conversations: ConversationsService,
    private readonly incoming: IncomingService,
    private readonly sendings: SendingsService,
    private readonly store: ThreadsStore,
    private readonly notes: NotesStore,
    private readonly quotas: Quotas,
    private readonly events: Events,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  /** Without the permission to read sent messages, those of the person. */
  async messages(
    actor: Actor,
    id: string,
    { cursor, $limit, notes: withNotes = false }: MessagesQuery,
  ): Promise<{ data: ConversationMessage[]; hasMore: boolean }> {
    const conversation = await this.conversations.row(actor, id);
    const limit = $limit + 1;
    const withSendings = may(actor, 'sendings.get');
    const found = await this.store.page(conversation, {
      cursor,
      limit,
      withSendings,
      withNotes,
    });
    const page = found.slice(0, $limit);
    const idsOf = (kind: ThreadEntry['kind']) =>
      page.filter((entry) => entry.kind === kind).map((entry) => entry.id);
    const scope = ownScope(conversation.OwnerId);
    const incoming = await this.incoming.presentedAll(scope, idsOf('incoming'), actor.level);
    const sendings = await this.sendings.presentedAll(scope, idsOf('sending'), actor.level);
    const written = await this.notes.byIds(id, idsOf('note'));
    const noted = new Map(
      written.map((row) => [row.id, presentNote(actor, conversation.OwnerId, row)]),
    );
    const sent = new Map(sendings.map((sending) => [sending.id, sending]));
    const received = new Map(incoming.map((message) => [message.id, message]));
    const data = page.map((entry) => ({
      id: entry.id,
      incoming: received.get(entry.id) ?? null,
      sending: sent.get(entry.id) ?? null,
      note: noted.get(entry.id) ?? null,
    }));
    return {
      data: data.filter((message) => message.incoming || message.sending || message.note),
      hasMore: found.length > $limit,
    };
  }

  /** A single message to the person. The conversation is answered unless the message is refused. */
  reply(
    actor: Actor,
    id: string,
    { text, type, sender, messageId }: Reply,
  ): Promise<SendingReceipt> {
    requirePermission(actor, 'sendingsIncoming.get');
    return this.db.transaction(async () => {
      const conversation = await this.conversations.lock(actor, id);
      const payload = { sender: sender ?? conversation.sender, text: literalText(text) };
      const request = requestOf({ type: type ?? typeOf(conversation.type), payload });
      const receipt = await this.sendings.sendTo(actor, conversation, request);
      if (!receipt.error) await this.conversations.replied(conversation, receipt.id, messageId);
      return receipt;
    });
  }

  /** Throws `quota_exceeded`. The conversation is locked, so that it is not erased or expires meanwhile. */
  note(actor: Actor, conversationId: string, text: string): Promise<ConversationNote> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.conversations.lock(actor, conversationId);
      const id = await this.notes.create(conversationId, personOf(actor), text);
      await this.quotas.check(NOTES_QUOTA, conversationId);
      this.events.changed('conversations', 'updated', OwnerId, conversationId);
      const [row] = await this.notes.byIds(conversationId, [id]);
      return presentNote(actor, OwnerId, row!);
    });
  }

  /** Throws `forbidden` for a note of another member, unless the actor owns the account. */
  removeNote(actor: Actor, conversationId: string, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.conversations.lock(actor, conversationId);
      const [row] = await this.notes.byIds(conversationId, [id]);
      if (!row) throw notFound();
      if (!mayRemove(actor, OwnerId, row))
        throw new AppError('forbidden', 'A note is removed by its author or an owner');
      await this.notes.remove(id);
      this.events.changed('conversations', 'updated', OwnerId, conversationId);
      return { id };
    });
  }

  /** Notes are texts about a person, and are kept as long as messages. */
  @Sweeps(60_000)
  deleteOldNotes(): Promise<boolean> {
    return this.retention.deleteOlder('conversation_notes', this.config.RETENTION_TEXTS_DAYS);
  }
}

/** Its author removes a note, and who holds or owns the account. */
const mayRemove = (actor: Actor, OwnerId: string, { Author }: NoteRow): boolean =>
  may(actor, 'sendingsIncoming.update') &&
  (Author.id === personOf(actor) ||
    (actor.OwnerId === OwnerId && (actor.role === null || actor.role === 'owner')));

const presentNote = (actor: Actor, OwnerId: string, row: NoteRow): ConversationNote => ({
  ...row,
  mayRemove: mayRemove(actor, OwnerId, row),
  createdAt: row.createdAt.toISOString(),
});

/** Refuses what the type does not support, by the field of the reply. */
function requestOf(message: Pick<SendingInput, 'type' | 'payload'>): SendingInput {
  // The recipient is that of the conversation, which is one person however the address is written.
  const parsed = parseWith(SendingInput, { ...message, recipient: '-' });
  if ('data' in parsed) return parsed.data;
  const [issue] = [...parsed.issues];
  throw invalid(issue!.field.split('.').at(-1)!, issue!.rule, issue!.message);
}
