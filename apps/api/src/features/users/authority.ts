import { isBelow, type Level } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { AppError } from '../../core/errors.ts';

/**
 * Who runs the account of a user: an account holder of a higher level, or an administrator, of anybody else. Only administrators see
 * all accounts; which accounts the others reach is the scope's matter.
 */
export function hasAuthority(actor: Actor, { id, level }: { id: string; level: Level }): boolean {
  const isAbove = isBelow(level, actor.level) || actor.scope.kind === 'all';
  return id !== actor.userId && actor.userId === actor.OwnerId && isAbove;
}

export function requireAuthority(actor: Actor, user: { id: string; level: Level }): void {
  if (hasAuthority(actor, user)) return;
  throw new AppError(
    'forbidden',
    'Only an account holder of a higher level, or an administrator, can do this, and nobody to themselves',
  );
}
