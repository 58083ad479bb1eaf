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
  conversations: 'full',
  tasks: 'full',
  templates: 'full',
  patterns: 'full',
  sendernames: 'full',
  contactLists: 'full',
  segments: 'full',
  contacts: 'full',
  storage: 'full',
  reports: 'full',
  reportSchedules: 'full',
  recurringSendings: 'full',
  automations: 'full',
  requisites: 'full',
  contracts: 'full',
  billings: 'full',
  payments: 'full',
  invoices: 'full',
  recurrentPayments: 'full',
  links: 'full',
  inboundRules: 'full',
  suppressions: 'full',
  tariffs: 'partial',
  telemetry: 'full',
  tokens: 'full',
  users: 'partial',
  wapi: 'full',
  webhooks: 'partial',
  integrations: 'partial',
  notifications: 'full',
};

export type Change = 'created' | 'updated' | 'removed';
export type EventName = `${Resource}.${Change}`;

/** With more than 16 entities per owner within 250 ms, an event contains only their number; clients refetch. */
export const MAX_ENTITIES = 16;
export const COALESCE_MS = 250;

/** `groupId` is the common group of the rows: the task of messages, the list of contacts. */
export type EventBody<R extends Resource = Resource> =
  | { items: Resources[R][] }
  | { ids: string[] }
  | { groupId: string | null; count: number };

/** Progress of an import. */
export interface ImportProgress {
  ListId: string;
  /** Id of the imported file. */
  key: string;
  /** Number of rows read. */
  done: number;
  /** Estimated number of rows left to read; 0 while rows are being saved. */
  left: number;
}

/** A changed personal setting. The value is null if the setting was removed. */
export interface SettingChange {
  key: string;
  value: unknown;
  updatedAt: string;
}

/** Events for a single user, not for resellers and managers of the account. A count means: request the objects again. */
export interface PersonEvents {
  /** Sent to the session that imports. */
  'contacts.importing': ImportProgress;
  /** A session of the user was opened or ended. */
  'sessions.changed': { count: number };
  /** Sent to the user's other sessions, except those opened by login-as. */
  'settingsUser.updated': SettingChange;
  'notifications.sent': { items: Notification[] };
  'notifications.read': { items: Notification[] } | { groupId: null; count: number };
}

/**
 * A page that fetches before its socket stands gives its age, in ms, as `auth.pageAge` of the handshake: if events may have been sent since
 * the page began, it gets `resync`. Pages that are older fetch again in any case.
 */
export const MAX_PAGE_AGE_SECONDS = 60;

/** Sent to every socket after a gap in which events may have been lost. */
export const RESYNC = 'resync';
