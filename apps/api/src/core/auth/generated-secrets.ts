import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Db } from '../db/db.ts';

export const newSecret = () => randomBytes(48).toString('base64url');

/** Reads secrets by name. The first one is generated if it does not exist; concurrent processes get the same value. */
export async function storedSecrets(
  db: Db,
  ...names: [string, ...string[]]
): Promise<[string, ...(string | undefined)[]]> {
  const read = async () => {
    const rows = await db.query<{ name: string; value: string }>(
      `select name, value from secrets where name = any($1)`,
      [names],
    );
    return names.map((name) => rows.find((row) => row.name === name)?.value);
  };
  let [first, ...others] = await read();
  if (!first) {
    await db.query(`insert into secrets (name, value) values ($1, $2) on conflict do nothing`, [
      names[0],
      newSecret(),
    ]);
    [first, ...others] = await read();
  }
  return [first!, ...others];
}

/** Secrets that are generated once and never rotated. */
@Injectable()
export class GeneratedSecrets {
  private readonly loaded = new Map<string, Promise<string>>();

  constructor(private readonly db: Db) {}

  get(name: string): Promise<string> {
    let secret = this.loaded.get(name);
    if (!secret) {
      secret = this.load(name).catch((error: unknown) => {
        this.loaded.delete(name);
        throw error;
      });
      this.loaded.set(name, secret);
    }
    return secret;
  }

  private async load(name: string): Promise<string> {
    const [secret] = await storedSecrets(this.db, name);
    return secret;
  }
}
