import { can, LEVELS, type Level, type Settings } from '@heliograph/contract';
import type { useCan } from '../../core/settings.ts';

interface Person {
  id: string;
  OwnerId: string;
}

/** Nobody changes its own balance, and only who may work with the operations of its customers changes theirs. */
export function mayChangeBalance(row: Person, me: Person | undefined, settings: Settings): boolean {
  return !!me && row.OwnerId !== me.OwnerId && settings.billings.processChildrenOperations;
}

/** Only as a subordinate account, and not while already acting as another account. */
export function mayLoginAs({ level }: { level: Level }, { session }: Settings): boolean {
  return !session.impersonator && LEVELS.indexOf(level) < LEVELS.indexOf(session.level);
}

/** Whether the settings of an account are those of a user who may run it: of a higher level, or an administrator, but not oneself. */
export function mayAdminister(
  row: { id: string; level: Level },
  { session, permissions }: Settings,
): boolean {
  if (session.impersonator || row.id === session.UserId || session.UserId !== session.OwnerId)
    return false;
  return (
    LEVELS.indexOf(row.level) < LEVELS.indexOf(session.level) ||
    can(permissions, 'users.all', 'managerUp')
  );
}

/** The user's name, else the username. */
export function fullName(data: { firstName?: string | null; lastName?: string | null }): string {
  return [data.firstName, data.lastName].filter(Boolean).join(' ');
}

/** Which settings of accounts the user sets: a reseller few, a manager all but their places, an administrator all. */
export const accountRights = (can: ReturnType<typeof useCan>) => ({
  places: can('users.all', 'managerUp'),
  money: can('users.configure', 'managerUp'),
});
