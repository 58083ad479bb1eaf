import { Injectable } from '@nestjs/common';
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Audit } from '../audit/audit.ts';
import { TtlCache } from '../ttl-cache.ts';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { newSecret, storedSecrets } from './generated-secrets.ts';
import { isSameSecret } from '../http/same-secret.ts';

export interface Key {
  /** The `kid` of tokens, derived from the secret by a hash. */
  id: string;
  secret: string;
  /** A parsed key, since jsonwebtoken would try to parse a string as a public key on every call. */
  parsed: KeyObject;
}

/** Keys are reloaded from the database at this interval, and earlier if a token names an unknown key. */
const RELOAD_MS = 5_000;
const RELOAD_UNKNOWN_MS = 100;
const KEYS = 'session';

/**
 * The session signing keys: the first one signs, the second one (the previous key) only verifies. They are configured, or
 * generated once and stored in the database.
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

  /** A signature of a text that is no token. The text begins with its purpose, so that none stands for another. */
  async sign(text: string): Promise<string> {
    return signature(await this.current(), text);
  }

  /** Whether one of the keys made this signature of the text. */
  async isSigned(text: string, given: string): Promise<boolean> {
    return (await this.all()).some((key) => isSameSecret(given, signature(key, text)));
  }

  /** The key named by a token's `kid`; undefined if it is unknown. */
  async of(token: string): Promise<Key | undefined> {
    const id = keyIdOf(token);
    const keys = await this.all();
    // Tokens from before keys had ids were signed with the oldest key.
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

/** Replaces the signing key. Open sessions stay valid under the previous key, or all of them end. */
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

const signature = ({ secret }: Key, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

function keyOf(secret: string | undefined): Key | undefined {
  if (!secret) return undefined;
  const id = createHash('sha256').update(`session key ${secret}`).digest('base64url').slice(0, 8);
  return { id, secret, parsed: createSecretKey(secret, 'utf8') };
}

/** The `kid` of a token; undefined if it has none, null if the header is unreadable. */
function keyIdOf(token: string): string | null | undefined {
  try {
    const [header = ''] = token.split('.', 1);
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown };
    return kid === undefined || typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
