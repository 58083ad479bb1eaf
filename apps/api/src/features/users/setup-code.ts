import { createHash } from 'node:crypto';
import { storedSecrets } from '../../core/auth/generated-secrets.ts';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db/db.ts';
import { hasManager } from './commands.store.ts';

/** Of 32 characters, without those that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP = 5;

/** The code of the environment, or one of 100 bits that is generated for this database: `0a1b2-3c4d5-6e7f8-9g0h1`. */
export async function setupCode(db: Db, { SETUP_CODE }: Config): Promise<string> {
  if (SETUP_CODE) return SETUP_CODE;
  const [secret] = await storedSecrets(db, 'setup');
  const bytes = createHash('sha256').update(secret).digest();
  const letters = Array.from({ length: GROUPS * GROUP }, (_, i) => ALPHABET[bytes[i]! % 32]!);
  return Array.from({ length: GROUPS }, (_, i) =>
    letters.slice(i * GROUP, (i + 1) * GROUP).join(''),
  ).join('-');
}

/**
 * Where the first administrator is created, with the code unless the operator has chosen it; null when there is one. The fragment of an
 * address reaches no server and no log of one.
 */
export async function setupLink(db: Db, config: Config): Promise<string | null> {
  if (await hasManager(db)) return null;
  const code = config.SETUP_CODE ? '' : `#${await setupCode(db, config)}`;
  return `${config.publicUrl}/setup${code}`;
}
