import {
  can,
  permissionsOf,
  ROLE_PERMISSIONS,
  rolePermissionsOf,
  ROLES,
  type Grants,
  type Level,
  type Permission,
  type PermissionsMap,
  type Preset,
  type Role,
} from '@heliograph/contract';
import { AppError } from '../errors.ts';

/** Defines which accounts' rows an actor may see. It becomes a SQL predicate (`scopeSql`), never a list of ids. */
export type AccessScope =
  | { kind: 'own'; OwnerId: string }
  | { kind: 'reseller'; OwnerId: string }
  | { kind: 'manager'; OwnerId: string; userId: string }
  | { kind: 'all' };

/** Unrestricted. Jobs and event loaders pass it explicitly. */
export const systemScope: AccessScope = { kind: 'all' };

/**
 * The owner of messages that the installation itself sends, such as phone confirmation codes. No row of `users` has this
 * id, and `scopeSql` excludes it from every scope, including `all`.
 */
export const SYSTEM_OWNER = '00000000-0000-7000-8000-000000000001';

/** The signed-in user of a request. */
export interface Actor {
  userId: string;
  OwnerId: string;
  username: string;
  level: Level;
  /** Of a member of the account; null for its holder. */
  role: Role | null;
  /** The id of the session or, with an API token, of the token. */
  sessionId: string;
  /** The API token that the request was made with; null for a session. */
  tokenId: string | null;
  /** The token is a test one: what it sends reaches nobody and costs nothing. */
  isTest?: true;
  /** The impersonator, if the session was opened by login-as. */
  actorId: string | null;
  /** The installation requires a second factor at this level, and the user has none. */
  mustSetUpSecondFactor: boolean;
  permissions: PermissionsMap;
  scope: AccessScope;
}

export const ownScope = (OwnerId: string): AccessScope => ({ kind: 'own', OwnerId });

export function may(actor: Actor, permission: Permission, accept?: Preset): boolean {
  return can(actor.permissions, permission, accept);
}

/** The refusal names the permission. */
export function requirePermission(actor: Actor, permission: Permission, accept?: Preset): void {
  if (!may(actor, permission, accept))
    throw new AppError('forbidden', undefined, { payload: { permission } });
}

/** The refusal names the first of the permissions that is missing. */
export function requireAll(actor: Actor, permissions: readonly Permission[]): void {
  for (const permission of permissions) requirePermission(actor, permission);
}

/** Whether the actor may do less than the holder of its account: it has an API token, or is a member. */
export const isNarrowed = ({ tokenId, role }: Pick<Actor, 'tokenId' | 'role'>): boolean =>
  tokenId !== null || role !== null;

/** Whether the actor may know what the account has and spends. */
export const readsMoney = (actor: Actor): boolean =>
  !isNarrowed(actor) || may(actor, 'billings.find');

/** `row` for the actor: of the fields in `needs`, a narrowed one receives those for which it has the permission. */
export function readableFields<T extends object, K extends keyof T>(
  actor: Actor,
  row: T,
  needs: Record<K, Permission>,
): Omit<T, K> & Partial<Pick<T, K>> {
  const { permissions } = actor;
  if (!isNarrowed(actor)) return row;
  const isReadable = (name: string) => !(name in needs) || can(permissions, needs[name as K]);
  const fields = Object.entries(row).filter(([name]) => isReadable(name));
  return Object.fromEntries(fields) as Omit<T, K> & Partial<Pick<T, K>>;
}

/** The fields of a user that determine its permissions and access scope. */
export interface Holder {
  userId: string;
  OwnerId: string;
  level: Level;
  grants: Grants;
  role: Role | null;
}

/**
 * The grants of a user. A member has none of those that were added to the holder of its account, and lacks what was taken from it.
 */
export const grantsSql = (user: string): string =>
  `case when ${user}.role is null then ${user}.grants
        else jsonb_build_object('remove', coalesce((select h.grants->'remove' from users h where h.id = ${user}.owner_id), '[]')) end`;

export type Rights = Pick<Actor, 'permissions' | 'scope'>;

/** `limit` narrows the permissions, and with them the scope. */
export function rightsOf(
  holder: Holder,
  limit: (permissions: PermissionsMap) => PermissionsMap = (all) => all,
): Rights {
  const { level, OwnerId, userId } = holder;
  const permissions = limit(rolePermissionsOf(permissionsOf(level, holder.grants), holder.role));
  const seesAll = level === 'manager' && 'users.all' in permissions;
  const scope: AccessScope = seesAll
    ? { kind: 'all' }
    : level === 'manager'
      ? { kind: 'manager', OwnerId, userId }
      : { kind: level === 'reseller' ? 'reseller' : 'own', OwnerId };
  return { permissions, scope };
}

/** The fields of an account that determine which scopes contain it. */
export interface ManagedOwner {
  OwnerId: string;
  resellerId: string | null;
  managerId: string | null;
}

/** Evaluates the predicate of `scopeSql` for a loaded account. */
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

/** The person behind a session, also one opened by login-as. */
export const personOf = ({ userId, actorId }: Pick<Actor, 'userId' | 'actorId'>): string =>
  actorId ?? userId;

/** Passwords, e-mails and phones can be changed only by the user, not by an impersonator. */
export function refuseImpersonated(actor: Actor): void {
  if (actor.actorId) throw new AppError('borrowed_session');
}

/** Account security and money require a session: an API token may be stored on many machines. */
export function refuseToken(actor: Actor): void {
  if (actor.tokenId) throw new AppError('session_required');
}

/** A user of a deactivated account is as inactive as a deactivated user. */
export const isActiveSql = (user: string): string =>
  `(${user}.is_active and exists (select 1 from users account where account.id = ${user}.owner_id and account.is_active))`;

/** SQL: whether the user may have a permission, as far as its role says. For what is told to users without a request of theirs. */
export const roleHasSql = (user: string, permission: Permission): string => {
  const roles = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission));
  return `(${user}.role is null or ${user}.role in (${roles.map((role) => `'${role}'`).join(', ')}))`;
};

/** A predicate on `column`, which holds the OwnerId. `bind` takes a value and returns its placeholder. */
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
    default:
      return `${column} in (select u.id from users u where ${keptSql(scope, bind)})`;
  }
}

/** The accounts of a scope. */
export function accountsSql(scope: AccessScope, bind: (value: unknown) => string): string {
  const isSeveral = scope.kind === 'reseller' || scope.kind === 'manager';
  const within = isSeveral ? keptSql(scope, bind) : scopeSql(scope, 'u.id', bind);
  return `select u.id from users u where u.owner_id = u.id and ${within}`;
}

/** Of the users `u`: the account itself and those that it looks after. */
function keptSql(
  scope: AccessScope & { kind: 'reseller' | 'manager' },
  bind: (value: unknown) => string,
): string {
  const me = bind(scope.OwnerId);
  const isKept =
    scope.kind === 'reseller' ? `u.reseller_id = ${me}` : `u.manager_id = ${bind(scope.userId)}`;
  return `(u.id = ${me} or ${isKept})`;
}
