import type { Notification } from './notifications.ts';
import type { RESOURCES } from './resources.ts';
import type * as z from 'zod';

/** The presented entities of `{resource}.created`, `.updated` and `.removed`. */
export type Resources = { [R in keyof typeof RESOURCES]: z.output<(typeof RESOURCES)[R]> };
export type Resource = keyof Resources;

/**
 * `full`: every change of a row is an event, so a client with a socket need not poll. `partial`: rows also change without
 * an event (an account's balance, a tariff's rules), so a client polls them.
 */
export const EVENT_COVERAGE: Record<Resource | 'notifications', 'full' | 'partial'> = {
  sendings: 'full',
  sendingsIncoming: 'full',
  tasks: 'full',
  templates: 'full',
  patterns: 'full',
  sendernames: 'full',
  contactLists: 'full',
  contacts: 'full',
  storage: 'full',
  billings: 'full',
  links: 'full',
  tariffs: 'partial',
  telemetry: 'full',
  users: 'partial',
  notifications: 'full',
};

export type Change = 'created' | 'updated' | 'removed';
export type EventName = `${Resource}.${Change}`;

/** Beyond 16 entities per owner and 250 ms an event only counts; the cabinet refetches. */
export const MAX_ENTITIES = 16;
export const COALESCE_MS = 250;

/** `groupId` is what many rows have in common: the task of sendings, the list of contacts. */
export type EventBody<R extends Resource = Resource> =
  | { items: Resources[R][] }
  | { ids: string[] }
  | { groupId: string | null; count: number };

/** How far an import is. */
export interface ImportProgress {
  ListId: string;
  /** The file that is imported. */
  key: string;
  /** Rows that were read. */
  done: number;
  /** Rows that are still to be read, by what is left of the file; 0 while what was read is saved. */
  left: number;
}

/** To the person who is told, and to nobody who looks after the account. A count: many at once, ask again. */
export interface PersonEvents {
  /** To the session that imports. */
  'contacts.importing': ImportProgress;
  'notifications.sent': { items: Notification[] };
  'notifications.read': { items: Notification[] } | { groupId: null; count: number };
}

/** Sent to every socket after a gap in which events may have been lost. */
export const RESYNC = 'resync';
