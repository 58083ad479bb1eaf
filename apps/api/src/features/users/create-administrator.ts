import { ADMINISTRATOR_GRANTS, Password, Username } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { hashPassword } from '../../core/auth/passwords.ts';
import { violated, type Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { insertManager } from './commands.store.ts';

/**
 * Creates a manager who sees all accounts and configures the channels. Only the command line does so, but for the first one
 * (`SetupService`). Throws `conflict` if the name is taken.
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
    await insertAdministrator(db, { username, passwordHash });
  } catch (error) {
    if (violated(error) !== 'users_username') throw error;
    throw new AppError('conflict', `The name ${username} is taken. Nothing was changed.`);
  }
}

/** Its id. */
export function insertAdministrator(
  db: Db,
  account: { username: string; passwordHash: string; email?: string },
): Promise<string> {
  return db.transaction(async () => {
    const grants = { add: [...ADMINISTRATOR_GRANTS] };
    const id = await insertManager(db, { ...account, grants });
    const target = ['users', id] as const;
    const after = { username: account.username, level: 'manager', grants: ADMINISTRATOR_GRANTS };
    await new Audit(db).record({ action: 'users.create', OwnerId: id, target, after });
    return id;
  });
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
