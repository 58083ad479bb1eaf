import { sendings, tasks, users, type PermissionsMap } from '@heliograph/contract';
import { can } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import { api } from '../core/api.ts';

export interface Found {
  kind: 'phone' | 'sending' | 'task' | 'user';
  name: string;
  to: string;
}

const ONE = { limit: 1 };

/** In a file of its own: phones bring the plans of all countries. */
export function findPhone(typed: string): Found[] {
  const phone = normalizePhone(typed);
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
