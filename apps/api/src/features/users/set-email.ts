import { Email } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/** The operator vouches for the address: where no letters are sent, nobody else can. */
export async function setEmail(db: Db, given: { username: string; email: string }): Promise<void> {
  const email = Email.safeParse(given.email).data;
  if (!email) throw new AppError('validation', 'The e-mail is not an e-mail address');
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
    // Letters that went to the former address, or wait for another one, are good no longer.
    await db.query(`delete from recovery_keys where user_id = $1`, [id]);
    await db.query(`delete from email_changes where user_id = $1`, [id]);
  });
}
