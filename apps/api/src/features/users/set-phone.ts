import { normalizePhone } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/** The operator vouches for the phone, which counts as confirmed: the account sends to everybody from now on. */
export async function setPhone(db: Db, given: { username: string; phone: string }): Promise<void> {
  const phone = normalizePhone(given.phone.slice(0, 40));
  if (!phone) throw new AppError('validation', 'The phone is not a phone number');
  const changed = await db.execute(
    `update users set data = jsonb_set(data, '{phone}', to_jsonb($2::text)), phone_confirmed_at = now(), updated_at = now()
      where lower(username) = lower($1)`,
    [given.username, phone],
  );
  if (!changed) throw new AppError('not_found', `There is no user ${given.username}`);
}
