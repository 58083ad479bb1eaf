import { Email } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { setConfirmedEmail } from './commands.store.ts';

/** Sets a confirmed e-mail. The operator's only way where e-mail is not configured. */
export async function setEmail(db: Db, given: { username: string; email: string }): Promise<void> {
  const email = Email.safeParse(given.email).data;
  if (!email) throw new AppError('validation', 'Invalid e-mail');
  await db.transaction(async () => {
    const user = await setConfirmedEmail(db, given.username, email);
    if (!user) throw new AppError('not_found', `No such user: ${given.username}`);
    const { id, OwnerId } = user;
    const target = ['users', id] as const;
    await new Audit(db).record({ action: 'emails.confirm', OwnerId, target, after: { email } });
  });
}
