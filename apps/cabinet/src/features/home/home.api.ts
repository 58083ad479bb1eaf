import {
  billings,
  channels,
  contactLists,
  sendernames,
  sendings,
  tasks,
  users,
  webhooks,
} from '@heliograph/contract';
import type { ListRequest } from '../../core/list-request.ts';
import { listSpec } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

/** Rows and period of the widgets. */
export const WIDGET_ROWS = 8;
export const WIDGET_PERIOD = '5m';

const newest = (
  limit: number,
  filter: ListRequest['filter'],
  more: Partial<ListRequest> = {},
): ListRequest => ({
  limit,
  order: [{ field: 'createdAt', direction: 'desc' }],
  filter,
  ...more,
});
const periods = [{ field: 'createdAt', value: WIDGET_PERIOD }];

// Keys as the lists have them, so that the socket's events reach these rows too.
const of = {
  billings: listSpec(billings.find, { order: ['createdAt'] }),
  channels: listSpec(channels.find, { order: ['priority'] }),
  contactLists: listSpec(contactLists.find, { order: ['createdAt'] }),
  sendernames: listSpec(sendernames.find, { order: ['createdAt'] }),
  sendings: listSpec(sendings.find, { order: ['createdAt'] }),
  tasks: listSpec(tasks.find, { order: ['createdAt'] }),
  users: listSpec(users.find, { order: ['balance'] }),
  webhooks: listSpec(webhooks.find, { order: ['createdAt'] }),
};

export const lastSendingsQuery = findQuery(of.sendings, newest(WIDGET_ROWS, {}, { periods }));
export const lastBillingsQuery = findQuery(of.billings, newest(WIDGET_ROWS, {}, { periods }));
/** Also those paused: a task that is paused here is resumed here. */
export const runningQuery = findQuery(
  of.tasks,
  newest(6, { type: ['sendings:bulk'], state: ['running', 'paused'] }),
);

export const lastBulksQuery = findQuery(of.tasks, newest(5, { type: ['sendings:bulk'] }));
/** Those with the least first. */
export const balancesQuery = findQuery(of.users, {
  limit: 100,
  order: [{ field: 'balance', direction: 'asc' }],
  filter: {},
});
export const firstChannelsQuery = findQuery(of.channels, {
  limit: 8,
  order: [{ field: 'priority', direction: 'asc' }],
  filter: {},
});

export const failingQuery = (OwnerId: string) =>
  findQuery(of.webhooks, newest(3, { state: ['paused'], OwnerId }));

/** Of the user's own account alone. One of two sender names may be the initial one. */
export const pausedQuery = (OwnerId: string) =>
  findQuery(of.tasks, newest(20, { type: ['sendings:bulk'], state: ['paused'], OwnerId }));
export const rejectedQuery = (OwnerId: string) =>
  findQuery(of.sendernames, newest(3, { moderation: ['rejected'], OwnerId }));
export const ownNamesQuery = (OwnerId: string) => findQuery(of.sendernames, newest(2, { OwnerId }));
export const ownListsQuery = (OwnerId: string) =>
  findQuery(of.contactLists, newest(1, { type: 'regular', OwnerId }));
export const ownSendingsQuery = (OwnerId: string) => findQuery(of.sendings, newest(1, { OwnerId }));
