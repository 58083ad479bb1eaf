import { ADMINISTRATOR_GRANTS, Password, Username } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { hashPassword } from '../../core/auth/passwords.ts';
import { violated, type Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';

/**
 * Creates a manager who sees all accounts and configures the channels. Only the command line creates administrators.
 * Throws `conflict` if the name is taken.
 */
export async function createAdministrator(
  db: Db,
  account: { username: string; password: string },
): Promise<void> {
  const username = checked(
    Username,
    account.username,
    'The name must have 5 to 150 characters: letters, digits and + - . @ _',
  );
  const password = checked(
    Password,
    account.password,
    'The password must have 6 to 18 printable ASCII characters',
  );
  const passwordHash = await hashPassword(password);
  try {
    await db.transaction(async () => {
      const [row] = await db.query<{ id: string }>(
        `with created as (select uuidv7() as id)
         insert into users (id, owner_id, username, password_hash, level, grants, is_verified, phone_confirmed_at)
         select id, id, $1, $2, 'manager', $3, true, now() from created returning id`,
        [username, passwordHash, { add: ADMINISTRATOR_GRANTS }],
      );
      await db.query(`insert into balances (owner_id) values ($1)`, [row!.id]);
      await db.query(
        `insert into users_tariffs (owner_id, tariff_id) select $1, id from tariffs where is_default`,
        [row!.id],
      );
      const target = ['users', row!.id] as const;
      const after = { username, level: 'manager', grants: ADMINISTRATOR_GRANTS };
      await new Audit(db).record({ action: 'users.create', OwnerId: row!.id, target, after });
    });
  } catch (error) {
    if (violated(error) !== 'users_username') throw error;
    throw new AppError('conflict', `The name ${username} is taken. Nothing was changed.`);
  }
}

function checked(
  schema: typeof Username | typeof Password,
  value: string,
  otherwise: string,
): string {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AppError('validation', otherwise);
  return parsed.data;
}
