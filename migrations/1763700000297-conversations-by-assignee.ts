import { ConcurrentIndexes } from './concurrently.ts';

export class ConversationsByAssignee1763700000297 extends ConcurrentIndexes {
  protected readonly indexes = {
    conversations_assignee:
      'on conversations (owner_id, assignee_id, last_id) where assignee_id is not null',
    conversations_unassigned: 'on conversations (owner_id, last_id) where assignee_id is null',
  };
}
