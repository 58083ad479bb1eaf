import { accountCountry, normalizePhone } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/** Sets a confirmed phone, which lifts the restriction of unconfirmed accounts. */
export async function setPhone(db: Db, given: { username: string; phone: string }): Promise<void> {
  const [own] = await db.query<{ phone: string | null }>(
    `select data->>'phone' as phone from users where lower(username) = lower($1)`,
    [given.username],
  );
  const phone = normalizePhone(given.phone.slice(0, 40), accountCountry(own?.phone));
  if (!phone) throw new AppError('validation', 'The phone number is invalid');
  await db.transaction(async () => {
    const [user] = await db.query<{ id: string; OwnerId: string }>(
      `update users set data = jsonb_set(data, '{phone}', to_jsonb($2::text)), phone_confirmed_at = now(), pending_phone = null, updated_at = now()
        where lower(username) = lower($1) returning id, owner_id as "OwnerId"`,
      [given.username, phone],
    );
    if (!user) throw new AppError('not_found', `No such user: ${given.username}`);
    const { id, OwnerId } = user;
    const target = ['users', id] as const;
    await new Audit(db).record({ action: 'phones.confirm', OwnerId, target, after: { phone } });
  });
}
