import { contacts, sendings, sendingsIncoming, suppressions } from '@heliograph/contract';
import type { ListRequest } from '../../core/list-request.ts';
import { listSpec } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

/** Of an account, by a phone number or an e-mail address. */
export interface Person {
  address: string;
  OwnerId: string;
}

/** Messages of each direction that the page shows. */
export const HISTORY_ROWS = 30;
/** Lists of one person. */
const MAX_LISTS = 50;

// Keys as the lists have them, so that events reach these rows too.
const of = {
  contacts: listSpec(contacts.find, { order: ['createdAt'] }),
  incoming: listSpec(sendingsIncoming.find, { order: ['createdAt'] }),
  sendings: listSpec(sendings.find, { order: ['createdAt'] }),
  suppressions: listSpec(suppressions.find, { order: ['createdAt'] }),
};
const newest = (limit: number, filter: ListRequest['filter']): ListRequest => ({
  limit,
  order: [{ field: 'createdAt', direction: 'desc' }],
  filter,
});

export const contactsOf = ({ address, OwnerId }: Person) =>
  findQuery(
    of.contacts,
    newest(MAX_LISTS, { [address.includes('@') ? 'email' : 'phone']: address, OwnerId }),
  );
export const messagesTo = ({ address, OwnerId }: Person) =>
  findQuery(of.sendings, newest(HISTORY_ROWS, { recipient: address, OwnerId }));
export const messagesFrom = ({ address, OwnerId }: Person) =>
  findQuery(of.incoming, newest(HISTORY_ROWS, { from: address, OwnerId }));
/** Searched by the beginning of the address. */
export const optOutsOf = ({ address, OwnerId }: Person) =>
  findQuery(of.suppressions, { ...newest(20, { OwnerId }), search: address });
/** The number of people's messages with an outcome is that of the answer. */
export const outcomesOf = ({ address, OwnerId }: Person, outcome: 'delivered' | 'failed') =>
  findQuery(of.sendings, newest(1, { recipient: address, OwnerId, outcome: [outcome] }));
