import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { SecondFactorStore } from './second-factor.store.ts';

/** Turns off the second factor of a user. The operator's way for managers, whom no other user may reset. */
export async function resetSecondFactor(db: Db, username: string): Promise<void> {
  await db.transaction(async () => {
    const store = new SecondFactorStore(db);
    const user = await store.userOf(username);
    if (!user) throw new AppError('not_found', `No such user: ${username}`);
    if (!(await store.remove(user.id)))
      throw new AppError('conflict', `The user ${username} has no second factor`);
    const { id, OwnerId } = user;
    const target = ['users', id] as const;
    await new Audit(db).record({ action: 'secondFactor.reset', OwnerId, target });
  });
}
