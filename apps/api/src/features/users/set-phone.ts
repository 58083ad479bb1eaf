import { accountCountry, normalizePhone } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { phoneOf, setConfirmedPhone } from './commands.store.ts';

/** Sets a confirmed phone, which lifts the restriction of unconfirmed accounts. */
export async function setPhone(db: Db, given: { username: string; phone: string }): Promise<void> {
  const former = await phoneOf(db, given.username);
  const phone = normalizePhone(given.phone.slice(0, 40), accountCountry(former));
  if (!phone) throw new AppError('validation', 'Invalid phone number');
  await db.transaction(async () => {
    const user = await setConfirmedPhone(db, given.username, phone);
    if (!user) throw new AppError('not_found', `No such user: ${given.username}`);
    const { id, OwnerId } = user;
    const target = ['users', id] as const;
    await new Audit(db).record({ action: 'phones.confirm', OwnerId, target, after: { phone } });
  });
}
