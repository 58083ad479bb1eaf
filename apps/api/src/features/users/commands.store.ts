import type { Grants } from '@heliograph/contract';
import type { Db } from '../../core/db/db.ts';

interface ChangedUser {
  id: string;
  OwnerId: string;
}

/** The owner of a user's account, by name. */
export async function ownerOf(db: Db, username: string): Promise<string | null> {
  const [user] = await db.query<{ OwnerId: string }>(
    `select owner_id as "OwnerId" from users where lower(username) = lower($1)`,
    [username],
  );
  return user?.OwnerId ?? null;
}

/** Whether somebody administers the installation: others are managers by administrators alone. */
export async function hasManager(db: Db): Promise<boolean> {
  const rows = await db.query(`select 1 from users where level = 'manager' limit 1`);
  return rows.length > 0;
}

/** Until the end of the transaction nobody else becomes the first administrator. */
export async function lockSetup(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('setup', 0))`);
}

/** Inserts a manager with its balance and the default tariff. */
export async function insertManager(
  db: Db,
  account: { username: string; passwordHash: string; grants: Grants; email?: string },
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `with created as (select uuidv7() as id)
     insert into users (id, owner_id, username, password_hash, level, grants, is_verified, phone_confirmed_at, data)
     select id, id, $1, $2, 'manager', $3, true, now(), jsonb_strip_nulls(jsonb_build_object('email', $4::text)) from created returning id`,
    [account.username, account.passwordHash, account.grants, account.email ?? null],
  );
  await db.query(`insert into balances (owner_id) values ($1)`, [row!.id]);
  await db.query(
    `insert into users_tariffs (owner_id, tariff_id) select $1, id from tariffs where is_default`,
    [row!.id],
  );
  return row!.id;
}

/** Also invalidates keys that were sent to the former address or for a pending change. */
export async function setConfirmedEmail(
  db: Db,
  username: string,
  email: string,
): Promise<ChangedUser | null> {
  const [user] = await db.query<ChangedUser>(
    `update users set data = jsonb_set(data, '{email}', to_jsonb($2::text)), email_confirmed_at = now(), updated_at = now()
      where lower(username) = lower($1) returning id, owner_id as "OwnerId"`,
    [username, email],
  );
  if (!user) return null;
  await db.query(`delete from recovery_keys where user_id = $1`, [user.id]);
  await db.query(`delete from email_changes where user_id = $1`, [user.id]);
  return user;
}

export async function phoneOf(db: Db, username: string): Promise<string | null> {
  const [user] = await db.query<{ phone: string | null }>(
    `select data->>'phone' as phone from users where lower(username) = lower($1)`,
    [username],
  );
  return user?.phone ?? null;
}

export async function setConfirmedPhone(
  db: Db,
  username: string,
  phone: string,
): Promise<ChangedUser | null> {
  const [user] = await db.query<ChangedUser>(
    `update users set data = jsonb_set(data, '{phone}', to_jsonb($2::text)), phone_confirmed_at = now(), pending_phone = null, updated_at = now()
      where lower(username) = lower($1) returning id, owner_id as "OwnerId"`,
    [username, phone],
  );
  return user ?? null;
}

interface AccountSettings {
  id: string;
  settings: Record<string, Record<string, unknown> | undefined>;
  overdraft: string;
}

/** Settings and overdraft of an account, locked; null if the name is of none or of a sub-user. */
export async function accountSettingsOf(db: Db, username: string): Promise<AccountSettings | null> {
  const [row] = await db.query<AccountSettings>(
    `select u.id, u.settings, b.overdraft::text as overdraft
       from users u join balances b on b.owner_id = u.id
      where lower(u.username) = lower($1) and u.id = u.owner_id for update`,
    [username],
  );
  return row ?? null;
}

export async function storeSettings(
  db: Db,
  id: string,
  settings: AccountSettings['settings'],
): Promise<void> {
  await db.query(`update users set settings = $2, updated_at = now() where id = $1`, [
    id,
    settings,
  ]);
}
