/** How far a user sees: itself, its customers (reseller), or the customers it manages (manager). */
export const LEVELS = ['me', 'reseller', 'manager'] as const;
export type Level = (typeof LEVELS)[number];

/** Strictly lower: whom a person of the other level may change or sign in as. */
export const isBelow = (level: Level, other: Level): boolean =>
  LEVELS.indexOf(level) < LEVELS.indexOf(other);

/** Accept levels by name, as routes and menu items ask for them. */
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

/** Every permission once, with the levels that hold it unless a user's own grants say otherwise. */
export const PERMISSIONS = {
  'users.get': 'meUp',
  'users.update': 'meUp',
  'users.all': 'none',
  'advanced.users.find': 'resellerUp',
  'secret.loginAs': 'resellerUp',
  'audit.find': 'meUp',
  'telemetry.get': 'meUp',
  'telemetry.create': 'meUp',
  'billings.find': 'meUp',
  'billings.generate': 'resellerUp',
  'tariffs.get': 'meUp',
  'contactLists.get': 'meUp',
  'contactLists.create': 'meUp',
  'contactLists.update': 'meUp',
  'contactLists.remove': 'meUp',
  'contacts.get': 'meUp',
  'contacts.create': 'meUp',
  'contacts.update': 'meUp',
  'contacts.remove': 'meUp',
  // In another account only who administers the installation.
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
  // What an operator has registered decides what messages cost: customers see it, managers keep it.
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
  'tasks.get': 'meUp',
  'tasks.update': 'meUp',
  'tasks.remove': 'meUp',
  'notifications.get': 'meUp',
  // Channels carry everybody's traffic: only who administers the installation is granted them.
  'channels.get': 'none',
  'channels.create': 'none',
  'channels.update': 'none',
  'channels.remove': 'none',
  // So are groups that many accounts may be in.
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

/** A user's own deviations from the table. */
export interface Grants {
  add?: Permission[];
  remove?: Permission[];
}

/** What a manager is granted who administers the installation. No endpoint changes grants. */
export const ADMINISTRATOR_GRANTS: Permission[] = [
  'users.all',
  'channels.get',
  'channels.create',
  'channels.update',
  'channels.remove',
  'routingGroups.get',
  'routingGroups.create',
  'routingGroups.update',
  'routingGroups.remove',
  'messageRuleGroups.get',
  'messageRuleGroups.create',
  'messageRuleGroups.update',
  'messageRuleGroups.remove',
];

/** The map that `GET /settings` sends: the level at which each permission is held; absent is not held. */
export type PermissionsMap = Partial<Record<Permission, Level>>;

export function permissionsOf(level: Level, grants: Grants = {}): PermissionsMap {
  const map: PermissionsMap = {};
  for (const [name, preset] of Object.entries(PERMISSIONS) as [Permission, Preset][]) {
    const held =
      (PRESETS[preset] as readonly Level[]).includes(level) || grants.add?.includes(name);
    if (held && !grants.remove?.includes(name)) map[name] = level;
  }
  return map;
}

/** Is `permission` held at one of the accepted levels? `can(map, 'users.get', 'resellerUp')`. */
export function can(map: PermissionsMap, permission: Permission, accept: Preset = 'all'): boolean {
  const level = map[permission];
  return level !== undefined && (PRESETS[accept] as readonly Level[]).includes(level);
}
