import type {
  Conversation,
  ConversationState,
  ConversationUser,
  Level,
} from '@heliograph/contract';
import { typeOf } from '@heliograph/domain';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

/** The account and the address of a person. */
export interface Person {
  OwnerId: string;
  address: string;
}

/** A row of `conversations` with its last message. */
export interface ConversationRow extends Person {
  id: string;
  state: ConversationState;
  unread: number;
  Assignee: ConversationUser | null;
  labels: string[];
  lastId: string;
  isLastIncoming: boolean;
  type: number;
  sender: string;
  text: string | null;
  attachment: 'image' | 'file' | null;
  createdAt: Date;
  lastMessageAt: Date;
}

export function present(row: WithOwner<ConversationRow>, level: Level): Conversation {
  return {
    id: row.id,
    address: row.address,
    state: row.state,
    unread: row.unread,
    Assignee: row.Assignee,
    labels: row.labels,
    lastMessage: {
      id: row.lastId,
      direction: row.isLastIncoming ? 'incoming' : 'outgoing',
      text: row.text,
      attachment: row.attachment,
    },
    type: typeOf(row.type),
    sender: row.sender,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt.toISOString(),
  };
}
