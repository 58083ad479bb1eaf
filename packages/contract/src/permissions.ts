/** Access level: own account (`me`), own customers (`reseller`) or managed accounts (`manager`). */
export const LEVELS = ['me', 'reseller', 'manager'] as const;
export type Level = (typeof LEVELS)[number];

/** Whether a level is strictly lower: users can change, and sign in as, users of lower levels only. */
export const isBelow = (level: Level, other: Level): boolean =>
  LEVELS.indexOf(level) < LEVELS.indexOf(other);

/** Named sets of levels that endpoints and menu items accept. */
export const PRESETS = {
  none: [],
  me: ['me'],
  meUp: ['me', 'reseller', 'manager'],
  reseller: ['reseller'],
  resellerUp: ['reseller', 'manager'],
  manager: ['manager'],
  managerUp: ['manager'],
  all: ['me', 'reseller', 'manager'],
} as const satisfies Record<string, readonly Level[]>;
export type Preset = keyof typeof PRESETS;

/** All permissions with the levels that have them by default. A user's grants can differ (`Grants`). */
export const PERMISSIONS = {
  'users.get': 'meUp',
  'users.update': 'meUp',
  'users.all': 'none',
  'users.create': 'resellerUp',
  'users.configure': 'resellerUp',
  'users.suspend': 'resellerUp',
  'users.close': 'resellerUp',
  // Of those who run an account, about it.
  'accountNotes.get': 'resellerUp',
  'accountNotes.create': 'resellerUp',
  'accountNotes.update': 'resellerUp',
  'accountNotes.remove': 'resellerUp',
  'advanced.users.find': 'resellerUp',
  'secret.loginAs': 'resellerUp',
  // Of oneself only.
  'settingsUser.get': 'meUp',
  'settingsUser.update': 'meUp',
  // The team of the own account.
  'members.get': 'meUp',
  'members.create': 'meUp',
  'members.update': 'meUp',
  'members.remove': 'meUp',
  'audit.find': 'meUp',
  'brands.get': 'resellerUp',
  'brands.update': 'resellerUp',
  // A reseller could name a domain that is somebody else's.
  'brands.setDomain': 'managerUp',
  'telemetry.get': 'meUp',
  'telemetry.create': 'meUp',
  'billings.find': 'meUp',
  'billings.generate': 'resellerUp',
  'packages.get': 'meUp',
  'packages.create': 'meUp',
  // What the installation sells below its prices: only administrators are granted access.
  'packageOffers.create': 'none',
  'packageOffers.update': 'none',
  'payments.get': 'meUp',
  'payments.create': 'meUp',
  'payments.refund': 'managerUp',
  'recurrentPayments.get': 'meUp',
  'recurrentPayments.create': 'meUp',
  'recurrentPayments.update': 'meUp',
  'recurrentPayments.block': 'managerUp',
  'recurrentPayments.remove': 'meUp',
  'tariffs.get': 'meUp',
  // A reseller sets those of its customers. Prices of all accounts: only administrators are granted access.
  'tariffs.create': 'reseller',
  'tariffs.update': 'reseller',
  'tariffs.remove': 'reseller',
  'invoices.get': 'meUp',
  'invoices.create': 'meUp',
  // Marking as paid adds to the balance.
  'invoices.update': 'managerUp',
  'companies.get': 'meUp',
  'companies.create': 'managerUp',
  'companies.update': 'managerUp',
  'companies.remove': 'managerUp',
  'documentTemplates.get': 'managerUp',
  'documentTemplates.create': 'managerUp',
  'documentTemplates.update': 'managerUp',
  'documentTemplates.remove': 'managerUp',
  'documents.create': 'meUp',
  'contracts.get': 'meUp',
  'contracts.update': 'meUp',
  'contracts.remove': 'meUp',
  'contactLists.get': 'meUp',
  'contactLists.create': 'meUp',
  'contactLists.update': 'meUp',
  'contactLists.remove': 'meUp',
  'contacts.get': 'meUp',
  'contacts.create': 'meUp',
  'contacts.update': 'meUp',
  'contacts.remove': 'meUp',
  // In other accounts, for administrators only.
  'persons.erase': 'meUp',
  'storage.get': 'meUp',
  'storage.create': 'meUp',
  'storage.update': 'meUp',
  'storage.remove': 'meUp',
  'links.get': 'meUp',
  'links.create': 'meUp',
  'links.remove': 'meUp',
  'templates.get': 'meUp',
  'templates.create': 'meUp',
  'templates.update': 'meUp',
  'templates.remove': 'meUp',
  'templates.moderate': 'resellerUp',
  // Operator templates determine prices: customers can read them, only managers can change them.
  'patterns.get': 'meUp',
  'patterns.create': 'managerUp',
  'patterns.update': 'managerUp',
  'patterns.remove': 'managerUp',
  'sendernames.get': 'meUp',
  'sendernames.create': 'meUp',
  'sendernames.update': 'meUp',
  'sendernames.remove': 'meUp',
  'sendernames.moderate': 'resellerUp',
  'sendings.get': 'meUp',
  'sendings.generate': 'meUp',
  'sendingsIncoming.get': 'meUp',
  'sendingsIncoming.create': 'meUp',
  'sendingsIncoming.update': 'meUp',
  'inboundRules.get': 'meUp',
  'inboundRules.create': 'meUp',
  'inboundRules.update': 'meUp',
  'inboundRules.remove': 'meUp',
  'signupForms.get': 'meUp',
  'signupForms.create': 'meUp',
  'signupForms.update': 'meUp',
  'signupForms.remove': 'meUp',
  'automations.get': 'meUp',
  'automations.create': 'meUp',
  'automations.update': 'meUp',
  'automations.remove': 'meUp',
  'quietHours.get': 'meUp',
  'quietHours.update': 'meUp',
  'frequencyCap.get': 'meUp',
  'frequencyCap.update': 'meUp',
  'emailSettings.get': 'meUp',
  'emailSettings.update': 'meUp',
  'suppressions.get': 'meUp',
  'suppressions.create': 'meUp',
  'suppressions.update': 'meUp',
  'suppressions.remove': 'meUp',
  'pushDevices.get': 'meUp',
  'pushDevices.create': 'meUp',
  'pushDevices.remove': 'meUp',
  'tasks.get': 'meUp',
  'tasks.update': 'meUp',
  'tasks.remove': 'meUp',
  'reports.get': 'meUp',
  'reports.create': 'meUp',
  'reports.remove': 'meUp',
  'requisites.get': 'meUp',
  'requisites.create': 'meUp',
  'requisites.update': 'meUp',
  'requisites.remove': 'meUp',
  'notifications.get': 'meUp',
  'systemMessages.get': 'managerUp',
  'systemMessages.create': 'managerUp',
  // Own caps by the account holder only.
  'spendCaps.update': 'meUp',
  'tokens.get': 'meUp',
  'tokens.create': 'meUp',
  'tokens.update': 'meUp',
  'tokens.remove': 'meUp',
  'wapi.get': 'meUp',
  'wapi.create': 'meUp',
  'wapi.update': 'meUp',
  'wapi.activate': 'none',
  'webhooks.get': 'meUp',
  'webhooks.create': 'meUp',
  'webhooks.update': 'meUp',
  'webhooks.remove': 'meUp',
  'integrations.get': 'meUp',
  'integrations.create': 'meUp',
  'integrations.update': 'meUp',
  'integrations.remove': 'meUp',
  'widgets.get': 'meUp',
  'widgets.create': 'meUp',
  'widgets.update': 'meUp',
  'widgets.remove': 'meUp',
  'otp-settings.get': 'meUp',
  'otp-settings.create': 'meUp',
  'otp-settings.update': 'meUp',
  'otp-settings.remove': 'meUp',
  'otp-handler.get': 'meUp',
  'otp-handler.use': 'meUp',
  // Channels carry the traffic of all accounts: only administrators are granted access.
  'channels.get': 'none',
  'channels.create': 'none',
  'channels.update': 'none',
  'channels.remove': 'none',
  // What carriers take, which says what the operator earns: only administrators are granted access.
  'purchasePrices.get': 'none',
  'purchasePrices.update': 'none',
  'margins.get': 'none',
  // What runs where: only administrators are granted access.
  'installation.get': 'none',
  'installation.update': 'none',
  // Routes decide about the traffic of all accounts: only administrators are granted access.
  'routes.get': 'none',
  'routes.create': 'none',
  'routes.update': 'none',
  'routes.remove': 'none',
  // A service that signs users in can act as them: only administrators are granted access.
  'identityProviders.get': 'none',
  'identityProviders.create': 'none',
  'identityProviders.update': 'none',
  'identityProviders.remove': 'none',
  // Groups affect many accounts: only administrators are granted access.
  'routingGroups.get': 'none',
  'routingGroups.create': 'none',
  'routingGroups.update': 'none',
  'routingGroups.remove': 'none',
  'messageRuleGroups.get': 'none',
  'messageRuleGroups.create': 'none',
  'messageRuleGroups.update': 'none',
  'messageRuleGroups.remove': 'none',
} as const satisfies Record<string, Preset>;
export type Permission = keyof typeof PERMISSIONS;

/** Permissions of endpoints that refuse API tokens (`sessionOnly`). No token has them. */
const SESSION_PERMISSIONS: Permission[] = [
  'installation.update',
  'identityProviders.get',
  'identityProviders.create',
  'identityProviders.update',
  'identityProviders.remove',
  'brands.update',
  'brands.setDomain',
  'tariffs.create',
  'tariffs.update',
  'tariffs.remove',
  'purchasePrices.update',
  'users.create',
  'users.configure',
  'users.suspend',
  'users.close',
  'secret.loginAs',
  'members.get',
  'members.create',
  'members.update',
  'members.remove',
  'billings.generate',
  'packages.create',
  'packageOffers.create',
  'packageOffers.update',
  'payments.create',
  'payments.refund',
  'invoices.create',
  'invoices.update',
  'companies.create',
  'companies.update',
  'companies.remove',
  'documentTemplates.get',
  'documentTemplates.create',
  'documentTemplates.update',
  'documentTemplates.remove',
  'recurrentPayments.create',
  'recurrentPayments.update',
  'recurrentPayments.block',
  'recurrentPayments.remove',
  'spendCaps.update',
  'systemMessages.create',
  'wapi.create',
  'wapi.activate',
  'tokens.get',
  'tokens.create',
  'tokens.update',
  'tokens.remove',
  'integrations.get',
  'integrations.create',
  'integrations.update',
  'integrations.remove',
];
/** Permissions that an API token can have. */
export const TOKEN_PERMISSIONS = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (name) => !SESSION_PERMISSIONS.includes(name),
);

/** What a member of the team of an account does there. The holder of the account has no role. */
export const ROLES = ['owner', 'sender', 'analyst', 'accountant', 'developer', 'readOnly'] as const;
export type Role = (typeof ROLES)[number];

const ALL = Object.keys(PERMISSIONS) as Permission[];
const isReading = (name: Permission): boolean => /\.(?:get|find)$/.test(name);
/** What a test token does with them reaches nobody. */
const TEST_ACTIONS: readonly Permission[] = ['sendings.generate', 'otp-handler.use'];
/**
 * Permissions that a test token can have: to read, and to send messages and codes that reach nobody. Whatever else a token changes, such
 * as rules or webhooks, acts on real messages.
 */
export const TEST_TOKEN_PERMISSIONS = TOKEN_PERMISSIONS.filter(
  (name) => isReading(name) || TEST_ACTIONS.includes(name),
);
/** Those of some resources: `of(['tasks'])` are all of `tasks`. */
const of = (resources: string[], isMeant = (_: Permission): boolean => true): Permission[] =>
  ALL.filter((name) => resources.includes(name.slice(0, name.lastIndexOf('.'))) && isMeant(name));

/** What each member has, for itself. */
const OF_ALL_ROLES: Permission[] = [
  'users.get',
  'users.update',
  'settingsUser.get',
  'settingsUser.update',
  'notifications.get',
  'telemetry.create',
];
/** What messages are made of. */
const OF_MESSAGES = ['templates', 'patterns', 'sendernames', 'links', 'contactLists', 'storage'];

/** The permissions of the roles, of those that the account has at all. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: ALL,
  sender: [
    ...OF_ALL_ROLES,
    ...of([...OF_MESSAGES, 'contacts', 'signupForms', 'sendings', 'sendingsIncoming', 'tasks']),
    ...of(['automations']),
    ...of(['inboundRules', 'quietHours', 'frequencyCap', 'emailSettings'], isReading),
    ...of(['suppressions', 'tariffs'], isReading),
    'suppressions.create',
  ],
  analyst: [
    ...OF_ALL_ROLES,
    ...of(['reports']),
    ...of([...OF_MESSAGES, 'sendings', 'sendingsIncoming', 'tasks', 'otp-handler'], isReading),
  ],
  accountant: [
    ...OF_ALL_ROLES,
    ...of(['packages', 'payments', 'recurrentPayments', 'invoices', 'requisites']),
    ...of(['documents', 'contracts', 'reports']),
    // Its reports and invoices are files.
    ...of(['billings', 'tariffs', 'storage'], isReading),
  ],
  developer: [
    ...OF_ALL_ROLES,
    ...of(['tokens', 'webhooks', 'integrations', 'widgets', 'otp-settings', 'otp-handler']),
    ...of(['sendings', 'sendingsIncoming', 'inboundRules', 'templates', 'links', 'storage']),
    ...of(['pushDevices']),
    ...of(['patterns', 'sendernames', 'contactLists', 'tasks', 'tariffs', 'wapi'], isReading),
  ],
  readOnly: [...OF_ALL_ROLES, ...ALL.filter(isReading)],
};

/** The permissions of a user, limited to those of its role. */
export function rolePermissionsOf(permissions: PermissionsMap, role: Role | null): PermissionsMap {
  if (role === null) return permissions;
  const given: readonly string[] = ROLE_PERMISSIONS[role];
  return Object.fromEntries(Object.entries(permissions).filter(([name]) => given.includes(name)));
}

/** Permissions of a single user that differ from the table. */
export interface Grants {
  add?: Permission[];
  remove?: Permission[];
}

/** Grants of an administrator, in addition to the level manager. No endpoint changes grants. */
export const ADMINISTRATOR_GRANTS: Permission[] = [
  'users.all',
  'packageOffers.create',
  'packageOffers.update',
  'tariffs.create',
  'tariffs.update',
  'tariffs.remove',
  'channels.get',
  'channels.create',
  'channels.update',
  'channels.remove',
  'purchasePrices.get',
  'purchasePrices.update',
  'margins.get',
  'installation.get',
  'installation.update',
  'identityProviders.get',
  'identityProviders.create',
  'identityProviders.update',
  'identityProviders.remove',
  'routes.get',
  'routes.create',
  'routes.update',
  'routes.remove',
  'routingGroups.get',
  'routingGroups.create',
  'routingGroups.update',
  'routingGroups.remove',
  'messageRuleGroups.get',
  'messageRuleGroups.create',
  'messageRuleGroups.update',
  'messageRuleGroups.remove',
  'wapi.activate',
];

/** Level of each granted permission, as in `GET /settings`. Absent permissions are not granted. */
export type PermissionsMap = Partial<Record<Permission, Level>>;

export function permissionsOf(level: Level, grants: Grants = {}): PermissionsMap {
  const map: PermissionsMap = {};
  for (const [name, preset] of Object.entries(PERMISSIONS) as [Permission, Preset][]) {
    const isGranted =
      (PRESETS[preset] as readonly Level[]).includes(level) || grants.add?.includes(name);
    if (isGranted && !grants.remove?.includes(name)) map[name] = level;
  }
  return map;
}

const POSSIBLE: Record<'live' | 'test', ReadonlySet<string>> = {
  live: new Set(TOKEN_PERMISSIONS),
  test: new Set(TEST_TOKEN_PERMISSIONS),
};

/** The permissions of an API token: those of its user, limited to `chosen` unless it is null, and to those of test tokens if it is one. */
export function tokenPermissionsOf(
  permissions: PermissionsMap,
  chosen: readonly string[] | null,
  isTest: boolean,
): PermissionsMap {
  const possible = isTest ? POSSIBLE.test : POSSIBLE.live;
  const given = chosen && new Set(chosen);
  const isGiven = (name: string) => possible.has(name) && (!given || given.has(name));
  return Object.fromEntries(Object.entries(permissions).filter(([name]) => isGiven(name)));
}

/** Whether `permission` is granted at one of the accepted levels: `can(map, 'users.get', 'resellerUp')`. */
export function can(map: PermissionsMap, permission: Permission, accept: Preset = 'all'): boolean {
  const level = map[permission];
  return level !== undefined && (PRESETS[accept] as readonly Level[]).includes(level);
}
