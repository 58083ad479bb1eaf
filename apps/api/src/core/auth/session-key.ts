import { Injectable } from '@nestjs/common';
import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { Audit } from '../audit/audit.ts';
import { TtlCache } from '../ttl-cache.ts';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { newSecret, storedSecrets } from './generated-secrets.ts';

export interface Key {
  /** The `kid` of a token: tells keys apart and says nothing of them. */
  id: string;
  secret: string;
  /** For verifying: a text would be tried as a public key at every call. */
  parsed: KeyObject;
}

/** Keys in the database are read again so often, and sooner for a token that names an unknown one. */
const RELOAD_MS = 5_000;
const RELOAD_UNKNOWN_MS = 100;
const KEYS = 'session';

/**
 * The keys of sessions: the first signs, the second, if there is one, signed before it. Configured, or generated once for
 * all processes of this database.
 */
@Injectable()
export class SessionKey {
  private readonly keys = new TtlCache(
    () => this.load(),
    () => RELOAD_MS,
  );
  private reloadedAt = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly db: Db,
  ) {}

  all(): Promise<Key[]> {
    return this.keys.get(KEYS);
  }

  async current(): Promise<Key> {
    return (await this.all())[0]!;
  }

  /** The key that a token was signed with, as it says itself; undefined when it is none of ours. */
  async of(token: string): Promise<Key | undefined> {
    const id = keyIdOf(token);
    const keys = await this.all();
    // Before keys had names there was one, which is the oldest now.
    if (id === undefined) return keys.at(-1);
    const named = (key: Key) => key.id === id;
    return keys.find(named) ?? (await this.reloaded()).find(named);
  }

  private reloaded(): Promise<Key[]> {
    if (!this.config.JWT_SECRET && performance.now() - this.reloadedAt > RELOAD_UNKNOWN_MS) {
      this.reloadedAt = performance.now();
      this.keys.invalidate(KEYS);
    }
    return this.all();
  }

  private async load(): Promise<Key[]> {
    const { JWT_SECRET, JWT_SECRET_PREVIOUS } = this.config;
    if (JWT_SECRET)
      return [JWT_SECRET, JWT_SECRET_PREVIOUS].flatMap((secret) => keyOf(secret) ?? []);
    const [current, previous] = await storedSecrets(this.db, 'session', 'session_previous');
    return [current, JWT_SECRET_PREVIOUS ?? previous].flatMap((secret) => keyOf(secret) ?? []);
  }
}

/** Another key signs from now on. Open sessions go on under the former one, or all of them end. */
export async function rotateSessionKey(db: Db, endsSessions: boolean): Promise<void> {
  await db.transaction(async () => {
    if (endsSessions) {
      await db.execute(`delete from secrets where name = 'session_previous'`);
      await db.execute(`update sessions set revoked_at = now() where revoked_at is null`);
    } else {
      await db.execute(
        `insert into secrets (name, value) select 'session_previous', value from secrets where name = 'session'
         on conflict (name) do update set value = excluded.value`,
      );
    }
    await db.execute(
      `insert into secrets (name, value) values ('session', $1)
       on conflict (name) do update set value = excluded.value`,
      [newSecret()],
    );
    await new Audit(db).record({ action: 'keys.rotate', OwnerId: null, after: { endsSessions } });
  });
}

function keyOf(secret: string | undefined): Key | undefined {
  if (!secret) return undefined;
  const id = createHash('sha256').update(`session key ${secret}`).digest('base64url').slice(0, 8);
  return { id, secret, parsed: createSecretKey(secret, 'utf8') };
}

/** `kid` of a token's header; undefined when it has none, null when it cannot be read. */
function keyIdOf(token: string): string | null | undefined {
  try {
    const [header = ''] = token.split('.', 1);
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown };
    return kid === undefined || typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
