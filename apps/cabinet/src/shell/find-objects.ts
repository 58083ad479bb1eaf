import {
  can,
  contactLists,
  contacts,
  sendings,
  tasks,
  templates,
  users,
  type PermissionsMap,
} from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import { api } from '../core/api.ts';

export interface Found {
  kind: 'phone' | 'sending' | 'task' | 'user' | 'list' | 'template' | 'contact';
  name: string;
  to: string;
}

const ONE = { limit: 1 };
/** Of each kind: more of them are found on their own page. */
const FEW = { limit: 4 };

/** `country` is the account's. In a file of its own: phones bring the plans of all countries. */
export function findPhone(typed: string, country: string): Found[] {
  const phone = normalizePhone(typed, country);
  if (!phone) return [];
  const to = `/messages/outgoing?f.recipient=${encodeURIComponent(phone)}`;
  return [{ kind: 'phone', name: phone, to }];
}

/** Whatever has this id, within the person's reach and rights. */
export async function findById(
  id: string,
  permissions: PermissionsMap,
  signal: AbortSignal,
): Promise<Found[]> {
  const asks: Promise<Found[]>[] = [];
  if (can(permissions, 'sendings.get')) {
    const query = { ...ONE, order: [{ field: 'createdAt' as const, direction: 'desc' as const }] };
    asks.push(
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
    asks.push(
      api(tasks.find, { query: { ...ONE, filter: { id: [id] } }, signal }).then(({ data }) =>
        data.map((row) => ({
          kind: 'task',
          name: row.title,
          to: `/messages/tasks?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'users.get', 'resellerUp')) {
    asks.push(
      api(users.find, { query: { ...ONE, filter: { OwnerId: id } }, signal }).then(({ data }) =>
        data.map((row) => ({ kind: 'user', name: row.username, to: `/users?id=${row.id}` })),
      ),
    );
  }
  return (await Promise.all(asks)).flat();
}

/** Lists, tasks, templates and contacts that have these words, within the person's reach and rights. */
export async function findByWords(
  search: string,
  permissions: PermissionsMap,
  signal: AbortSignal,
): Promise<Found[]> {
  const query = { ...FEW, search };
  const asks: Promise<Found[]>[] = [];
  if (can(permissions, 'contactLists.get')) {
    asks.push(
      api(contactLists.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({ kind: 'list', name: title, to: `/contacts/${id}` })),
      ),
    );
  }
  if (can(permissions, 'tasks.get')) {
    asks.push(
      api(tasks.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({
          kind: 'task',
          name: title,
          to: `/messages/tasks?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'templates.get')) {
    asks.push(
      api(templates.find, { query, signal }).then(({ data }) =>
        data.map(({ id, title }) => ({
          kind: 'template',
          name: title,
          to: `/messages/templates?id=${id}`,
        })),
      ),
    );
  }
  if (can(permissions, 'contacts.get')) {
    asks.push(
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
  // What one page cannot answer keeps back nothing of the others.
  const answers = await Promise.allSettled(asks);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
