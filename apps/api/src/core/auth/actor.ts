import {
  can,
  permissionsOf,
  type Grants,
  type Level,
  type Permission,
  type PermissionsMap,
  type Preset,
} from '@heliograph/contract';
import { AppError } from '../errors.ts';

/**
 * Which owners' rows may be seen, as a predicate and never as a list of ids.
 * `system` is what the workers say aloud.
 */
export type AccessScope =
  | { kind: 'own'; OwnerId: string }
  | { kind: 'reseller'; OwnerId: string }
  | { kind: 'manager'; OwnerId: string; userId: string }
  | { kind: 'all' };

export const systemScope: AccessScope = { kind: 'all' };

/**
 * Whose messages the installation's own are, such as codes that confirm a phone. No row of `users` has this id: nobody
 * signs in to it, lists it or reads what it sends, not even who sees all accounts.
 */
export const SYSTEM_OWNER = '00000000-0000-7000-8000-000000000001';

/** Whoever is behind a request. */
export interface Actor {
  userId: string;
  OwnerId: string;
  username: string;
  level: Level;
  sessionId: string;
  /** Who opened the session by login-as. */
  actorId: string | null;
  permissions: PermissionsMap;
  scope: AccessScope;
}

export const ownScope = (OwnerId: string): AccessScope => ({ kind: 'own', OwnerId });

export function may(actor: Actor, permission: Permission, accept?: Preset): boolean {
  return can(actor.permissions, permission, accept);
}

/** A person, as far as its rights go. */
export interface Holder {
  userId: string;
  OwnerId: string;
  level: Level;
  grants: Grants;
}

export function rightsOf(holder: Holder): Pick<Actor, 'permissions' | 'scope'> {
  const { level, OwnerId, userId } = holder;
  const permissions = permissionsOf(level, holder.grants);
  const seesAll = level === 'manager' && 'users.all' in permissions;
  const scope: AccessScope = seesAll
    ? { kind: 'all' }
    : level === 'manager'
      ? { kind: 'manager', OwnerId, userId }
      : { kind: level === 'reseller' ? 'reseller' : 'own', OwnerId };
  return { permissions, scope };
}

/** An owner's row, as far as it says who sees it. */
export interface ManagedOwner {
  OwnerId: string;
  resellerId: string | null;
  managerId: string | null;
}

/** What `scopeSql` says, of an owner that is known already. */
export function isWithin(
  scope: AccessScope,
  { OwnerId, resellerId, managerId }: ManagedOwner,
): boolean {
  switch (scope.kind) {
    case 'all':
      return OwnerId !== SYSTEM_OWNER;
    case 'own':
      return OwnerId === scope.OwnerId;
    case 'reseller':
      return OwnerId === scope.OwnerId || resellerId === scope.OwnerId;
    case 'manager':
      return OwnerId === scope.OwnerId || managerId === scope.userId;
  }
}

/** Passwords, addresses and phones are changed by their own person, not by somebody who acts as it. */
export function refuseImpersonated(actor: Actor): void {
  if (actor.actorId) throw new AppError('borrowed_session');
}

/** `column` names the owner; the SQL takes its values from `bind`, which returns a placeholder. */
export function scopeSql(
  scope: AccessScope,
  column: string,
  bind: (value: unknown) => string,
): string {
  switch (scope.kind) {
    case 'all':
      return `${column} is distinct from '${SYSTEM_OWNER}'`;
    case 'own':
      return `${column} = ${bind(scope.OwnerId)}`;
    case 'reseller': {
      const me = bind(scope.OwnerId);
      return `${column} in (select id from users where id = ${me} or reseller_id = ${me})`;
    }
    case 'manager': {
      const me = bind(scope.OwnerId);
      return `${column} in (select id from users where id = ${me} or manager_id = ${bind(scope.userId)})`;
    }
  }
}
