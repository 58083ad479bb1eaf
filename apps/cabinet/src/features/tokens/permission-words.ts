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

export function actionText(t: TFunction, name: Permission): string {
  const action = name.slice(name.lastIndexOf('.') + 1);
  return t(`tokens:action.${action}`, { defaultValue: action });
}

export const nounOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
