import {
  can,
  type Level,
  type Permission,
  type PermissionsMap,
  type Preset,
} from '@heliograph/contract';

/**
 * Which owners' rows may be seen, as a predicate and never as a list of ids.
 * `system` is what the workers say aloud.
 */
export type Reach =
  | { kind: 'own'; OwnerId: string }
  | { kind: 'reseller'; OwnerId: string }
  | { kind: 'manager'; OwnerId: string; userId: string }
  | { kind: 'all' };

export const system: Reach = { kind: 'all' };

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
  reach: Reach;
}

export const own = (OwnerId: string): Reach => ({ kind: 'own', OwnerId });

export function may(actor: Actor, permission: Permission, accept?: Preset): boolean {
  return can(actor.permissions, permission, accept);
}

/** `column` names the owner; the SQL takes its values from `bind`, which returns a placeholder. */
export function reachSql(reach: Reach, column: string, bind: (value: unknown) => string): string {
  switch (reach.kind) {
    case 'all':
      return 'true';
    case 'own':
      return `${column} = ${bind(reach.OwnerId)}`;
    case 'reseller': {
      const me = bind(reach.OwnerId);
      return `${column} in (select id from users where id = ${me} or reseller_id = ${me})`;
    }
    case 'manager': {
      const me = bind(reach.OwnerId);
      return `${column} in (select id from users where id = ${me} or manager_id = ${bind(reach.userId)})`;
    }
  }
}
