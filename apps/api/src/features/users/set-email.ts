import { Email } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/** Sets a confirmed e-mail. The operator's only way where e-mail is not configured. */
export async function setEmail(db: Db, given: { username: string; email: string }): Promise<void> {
  const email = Email.safeParse(given.email).data;
  if (!email) throw new AppError('validation', 'The e-mail address is invalid');
  await db.transaction(async () => {
    const [user] = await db.query<{ id: string; OwnerId: string }>(
      `update users set data = jsonb_set(data, '{email}', to_jsonb($2::text)), email_confirmed_at = now(), updated_at = now()
        where lower(username) = lower($1) returning id, owner_id as "OwnerId"`,
      [given.username, email],
    );
    if (!user) throw new AppError('not_found', `No such user: ${given.username}`);
    const { id, OwnerId } = user;
    const target = ['users', id] as const;
    await new Audit(db).record({ action: 'emails.confirm', OwnerId, target, after: { email } });
    // Invalidates keys that were sent to the former address or for a pending change.
    await db.query(`delete from recovery_keys where user_id = $1`, [id]);
    await db.query(`delete from email_changes where user_id = $1`, [id]);
  });
}
