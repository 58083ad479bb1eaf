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
  private readonly known = new Map<string, string>();

  constructor(private readonly db: Db) {}

  /** One that a transaction reads or generates is remembered after the commit, since that may be rolled back. */
  async get(name: string): Promise<string> {
    const known = this.known.get(name);
    if (known) return known;
    const [secret] = await storedSecrets(this.db, name);
    this.db.afterCommit(() => this.known.set(name, secret));
    return secret;
  }
}
