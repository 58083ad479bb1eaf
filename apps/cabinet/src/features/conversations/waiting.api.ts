import { conversations } from '@heliograph/contract';
import { listSpec } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

/** Those of an account that wait for an answer: their number is what counts. Its key is the list's, whose events reach it. */
export const waitingQuery = (OwnerId: string) =>
  findQuery(listSpec(conversations.find, { order: ['lastMessageAt'] }), {
    limit: 1,
    order: [{ field: 'lastMessageAt', direction: 'desc' }],
    filter: { state: ['waiting'], OwnerId },
  });
