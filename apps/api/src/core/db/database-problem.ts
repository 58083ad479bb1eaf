import { failureText } from '../log-error.ts';

/** Codes of a server that cannot be reached or does not let this user in, and of a schema that is absent. */
const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The database cannot be reached: nothing listens at the address of DATABASE_URL.',
  ENOTFOUND: 'The database cannot be reached: the host of DATABASE_URL is unknown.',
  ETIMEDOUT: 'The database cannot be reached: the host of DATABASE_URL does not answer.',
  EHOSTUNREACH: 'The database cannot be reached: there is no route to the host of DATABASE_URL.',
  '28P01': 'The database refused the password of DATABASE_URL.',
  '28000': 'The database refused the user of DATABASE_URL.',
  '3D000': 'There is no database with the name in DATABASE_URL.',
  '42P01': 'The database is not migrated: run `cli.js migrate` first.',
  '42703': 'The database is of another version: run `cli.js migrate` of this build first.',
  '57P03': 'The database is starting or shutting down. Try again.',
};

/** How a pooler refuses settings of the connection. */
const REFUSED_SETTINGS = /^unsupported startup parameter/;
const POOLED =
  'DATABASE_URL is a pooler: set DATABASE_DIRECT_URL to the address of the database itself.';

/** A sentence for what an operator can mend, or null. Of a connection that tried several addresses the first cause counts. */
export function databaseProblem(error: unknown): string | null {
  const { code, message, driverError, errors } = (error ?? {}) as {
    code?: unknown;
    message?: unknown;
    driverError?: unknown;
    errors?: unknown[];
  };
  if (typeof code === 'string' && Object.hasOwn(SENTENCES, code)) return SENTENCES[code]!;
  if (REFUSED_SETTINGS.test(String(message))) return POOLED;
  if (driverError) return databaseProblem(driverError);
  return errors?.length ? databaseProblem(errors[0]) : null;
}

/** For the start of a process, which is started again until the database is there. */
export function exitWithoutDatabase(error: unknown): never {
  console.error(databaseProblem(error) ?? failureText(error));
  process.exit(1);
}
