import { Registration } from '@heliograph/contract';
import { parseArgs } from 'node:util';
import type { Db } from './core/db/db.ts';
import { AppError } from './core/errors.ts';
import { setPhone } from './features/users/set-phone.ts';
import type { RegistrationService } from './features/registration/registration.service.ts';

const USAGE =
  'Usage: create-account NAME --first-name NAME --phone PHONE [--email ADDRESS] [--password-stdin]';

export interface GivenAccount {
  username: string;
  phone?: string;
  email?: string;
  firstName?: string;
  /** For `readPassword`. */
  rest: string[];
}

/** Reads the arguments of `create-account`; those of the password stay in `rest`. */
export function parseAccount(args: string[]): GivenAccount {
  const rest: string[] = args.filter((arg) => arg === '--password-stdin');
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((arg) => !rest.includes(arg)),
      allowPositionals: true,
      options: {
        phone: { type: 'string' },
        email: { type: 'string' },
        'first-name': { type: 'string' },
      },
    });
    const [username, ...more] = positionals;
    if (!username || more.length) throw new AppError('validation', USAGE);
    const { phone, email, 'first-name': firstName } = values;
    return { username, phone, email, firstName, rest };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('validation', USAGE);
  }
}

/**
 * Opens the account of a customer, as its registration would, with a phone for which the operator vouches and without free
 * credit. Throws `validation` with a sentence for each wrong value.
 */
export async function createAccount(
  db: Db,
  registration: RegistrationService,
  given: GivenAccount,
  password: string,
): Promise<void> {
  const { username, phone, email, firstName } = given;
  const data = { phone, email, firstName };
  const parsed = Registration.safeParse({ username, password, data });
  if (!parsed.success)
    throw new AppError(
      'validation',
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  await db.transaction(async () => {
    await registration.openByOperator(parsed.data);
    await setPhone(db, { username, phone: parsed.data.data.phone });
  });
}
