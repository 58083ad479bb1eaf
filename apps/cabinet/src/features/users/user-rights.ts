import { LEVELS, type Level, type Settings } from '@heliograph/contract';

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

/** The user's name, else the username. */
export function fullName(data: { firstName?: string | null; lastName?: string | null }): string {
  return [data.firstName, data.lastName].filter(Boolean).join(' ');
}
