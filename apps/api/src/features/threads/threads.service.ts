import { Injectable } from '@nestjs/common';
import {
  SendingInput,
  type conversations,
  type ConversationMessage,
  type SendingReceipt,
} from '@heliograph/contract';
import { literalText, typeOf } from '@heliograph/domain';
import { may, ownScope, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { parseWith } from '../../core/http/sentences.ts';
import { ConversationsService } from '../conversations/conversations.service.ts';
import { IncomingService } from '../sendings-incoming/sendings-incoming.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { ThreadsStore } from './threads.store.ts';

type MessagesQuery = In<typeof conversations.messages>['query'];
type Reply = In<typeof conversations.reply>['body'];

/** The messages of a conversation, and replies in it. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly db: Db,
    private readonly conversations: ConversationsService,
    private readonly incoming: IncomingService,
    private readonly sendings: SendingsService,
    private readonly store: ThreadsStore,
  ) {}

  /** Without the permission to read sent messages, those of the person. */
  async messages(
    actor: Actor,
    id: string,
    { cursor, $limit }: MessagesQuery,
  ): Promise<{ data: ConversationMessage[]; hasMore: boolean }> {
    const conversation = await this.conversations.row(actor, id);
    const limit = $limit + 1;
    const withSendings = may(actor, 'sendings.get');
    const found = await this.store.page(conversation, { cursor, limit, withSendings });
    const page = found.slice(0, $limit);
    const idsOf = (isIncoming: boolean) =>
      page.filter((entry) => entry.isIncoming === isIncoming).map((entry) => entry.id);
    const scope = ownScope(conversation.OwnerId);
    const incoming = await this.incoming.presentedAll(scope, idsOf(true), actor.level);
    const sendings = await this.sendings.presentedAll(scope, idsOf(false), actor.level);
    const sent = new Map(sendings.map((sending) => [sending.id, sending]));
    const received = new Map(incoming.map((message) => [message.id, message]));
    const data = page.map((entry) => ({
      id: entry.id,
      incoming: received.get(entry.id) ?? null,
      sending: sent.get(entry.id) ?? null,
    }));
    return {
      data: data.filter((message) => message.incoming || message.sending),
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
}

/** Refuses what the type does not support, by the field of the reply. */
function requestOf(message: Pick<SendingInput, 'type' | 'payload'>): SendingInput {
  // The recipient is that of the conversation, which is one person however the address is written.
  const parsed = parseWith(SendingInput, { ...message, recipient: '-' });
  if ('data' in parsed) return parsed.data;
  const [issue] = [...parsed.issues];
  throw invalid(issue!.field.split('.').at(-1)!, issue!.rule, issue!.message);
}
