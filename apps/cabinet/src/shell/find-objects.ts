import {
  can,
  contactLists,
  contacts,
  sendernames,
  sendings,
  tasks,
  templates,
  users,
  type PermissionsMap,
} from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import { api } from '../core/api.ts';

export interface Found {
  kind: 'phone' | 'sending' | 'task' | 'user' | 'list' | 'template' | 'contact' | 'sendername';
  name: string;
  to: string;
}

const ONE = { limit: 1 };
/** Results of each kind; the list pages find more. */
const FIRST_FOUR = { limit: 4 };

/** `country` is the account's. This file is loaded on demand: numbering plans of all countries are large. */
export function findPhone(typed: string, country: string): Found[] {
  const phone = normalizePhone(typed, country);
  if (!phone) return [];
  const to = `/messages/outgoing?f.recipient=${encodeURIComponent(phone)}`;
  return [{ kind: 'phone', name: phone, to }];
}

/** Objects with this id, within the user's scope and permissions. */
export async function findById(
  id: string,
  permissions: PermissionsMap,
  signal: AbortSignal,
): Promise<Found[]> {
  const requests: Promise<Found[]>[] = [];
  if (can(permissions, 'sendings.get')) {
    const query = { ...ONE, order: [{ field: 'createdAt' as const, direction: 'desc' as const }] };
    requests.push(
      api(sendings.find, { query: { ...query, filter: { id: [id] } }, signal }).then(({ data }) =>
        data.map((row) => ({
          kind: 'sending',
          name: row.recipient,
          to: `/messages/outgoing?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'tasks.get')) {
    requests.push(
      api(tasks.find, { query: { ...ONE, filter: { id: [id] } }, signal }).then(({ data }) =>
        data.map((row) => ({
          kind: 'task',
          name: row.title,
          to: `/messages/tasks/${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'users.get', 'resellerUp')) {
    requests.push(
      api(users.find, { query: { ...ONE, filter: { OwnerId: id } }, signal }).then(({ data }) =>
        data.map((row) => ({ kind: 'user', name: row.username, to: `/users?id=${row.id}` })),
      ),
    );
  }
  return (await Promise.all(requests)).flat();
}

/** Accounts, lists, tasks, templates, sender names and contacts that match the words, within the user's scope and permissions. */
export async function findByWords(
  search: string,
  permissions: PermissionsMap,
  signal: AbortSignal,
): Promise<Found[]> {
  const query = { ...FIRST_FOUR, search };
  const requests: Promise<Found[]>[] = [];
  if (can(permissions, 'users.get', 'resellerUp')) {
    requests.push(
      api(users.find, { query: { ...query, filter: { isHolder: true } }, signal }).then(
        ({ data }) =>
          data.map(({ id, username, data: { firstName, lastName } }) => ({
            kind: 'user',
            name: [username, firstName, lastName].filter(Boolean).join(' '),
            to: `/users?id=${id}`,
          })),
      ),
    );
  }
  if (can(permissions, 'contactLists.get')) {
    requests.push(
      api(contactLists.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({ kind: 'list', name: title, to: `/contacts/${id}` })),
      ),
    );
  }
  if (can(permissions, 'tasks.get')) {
    requests.push(
      api(tasks.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({
          kind: 'task',
          name: title,
          to: `/messages/tasks/${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'templates.get')) {
    requests.push(
      api(templates.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({
          kind: 'template',
          name: title,
          to: `/messages/templates?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'sendernames.get')) {
    requests.push(
      api(sendernames.find, { query, signal }).then(({ data }) =>
        data.map(({ id, name }) => ({
          kind: 'sendername',
          name,
          to: `/settings/sendernames?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'contacts.get')) {
    requests.push(
      api(contacts.find, { query, signal }).then(({ data }) =>
        data.map(({ ListId, firstName, lastName, phone, email }) => {
          const address = phone ?? email ?? '';
          const name = [firstName, lastName, address].filter(Boolean).join(' ');
          const to = `/contacts/${ListId}?q=${encodeURIComponent(address)}`;
          return { kind: 'contact', name, to };
        }),
      ),
    );
  }
  // A failed request does not hide the results of the others.
  const answers = await Promise.allSettled(requests);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
