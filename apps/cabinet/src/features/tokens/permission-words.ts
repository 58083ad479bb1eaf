import { TOKEN_PERMISSIONS, type Permission } from '@heliograph/contract';
import type { TFunction } from 'i18next';

export interface PermissionGroup {
  noun: string;
  names: Permission[];
}

/** Permissions by noun, in the order of the contract: those that a token can have and the user has. */
export function permissionGroups(isHeld: (name: Permission) => boolean): PermissionGroup[] {
  const groups = Map.groupBy(TOKEN_PERMISSIONS.filter(isHeld), nounOf);
  return [...groups].map(([noun, names]) => ({ noun, names }));
}

export const nounText = (t: TFunction, noun: string): string =>
  t(`tokens:noun.${noun}`, { defaultValue: noun });

/** Permissions whose last word means something else than that of others. */
const OWN_ACTIONS: Partial<Record<Permission, string>> = { 'billings.generate': 'changeBalance' };

export function actionText(t: TFunction, name: Permission): string {
  const action = OWN_ACTIONS[name] ?? name.slice(name.lastIndexOf('.') + 1);
  return t(`tokens:action.${action}`, { defaultValue: action });
}

export const nounOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
