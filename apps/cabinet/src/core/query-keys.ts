import type { Resource } from '@heliograph/contract';
import type { ListRequest } from './list-request.ts';

/** The first part of every query key. Events, invalidation and polling address queries by it, so it is the noun on the wire where there is one. */
export type Noun =
  | Resource
  | 'notifications'
  | 'notificationSettings'
  | 'systemMessages'
  | 'accountNotes'
  | 'analytics'
  | 'audit'
  | 'brands'
  | 'browser'
  | 'channels'
  | 'channelDrivers'
  | 'channelSendernames'
  | 'companies'
  | 'documentTemplates'
  | 'documentation'
  | 'estimates'
  | 'identities'
  | 'identityProviders'
  | 'installation'
  | 'contactFields'
  | 'margins'
  | 'messageRuleGroups'
  | 'operationRows'
  | 'operators'
  | 'otpChannels'
  | 'otpTemplates'
  | 'otpWidgets'
  | 'packageOffers'
  | 'packages'
  | 'palette'
  | 'passkeys'
  | 'purchasePrices'
  | 'referrals'
  | 'routes'
  | 'routingGroups'
  | 'secondFactor'
  | 'sessions'
  | 'settings'
  | 'shareShifts'
  | 'signupForms'
  | 'simulator'
  | 'summary'
  | 'taskErrors'
  | 'taskOutcomes'
  | 'taskRecipients'
  | 'taskUnsent'
  | 'version';

/** The keys of a noun's queries. `find`, `get` and `me` hold rows, into which events are merged. */
export function keysOf(noun: Noun) {
  return {
    all: [noun],
    lists: [noun, 'find'],
    find: (request: ListRequest) => [noun, 'find', request] as const,
    get: (id: string): string[] => [noun, 'get', id],
    me: [noun, 'me'],
    /** Of other answers: no event is merged into them; invalidating the noun reaches them. */
    of: (name: string, ...params: unknown[]) => [noun, name, ...params] as const,
  };
}

/** The request of a list's query, from its key. */
export const requestOfKey = (key: readonly unknown[]): ListRequest => key[2] as ListRequest;
