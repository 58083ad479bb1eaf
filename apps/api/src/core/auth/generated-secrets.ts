import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Db } from '../db/db.ts';

/** Secrets that nobody configures: each is generated once, for all processes of this database. */
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
    const known = await this.read(name);
    if (known) return known;
    await this.db.query(
      `insert into secrets (name, value) values ($1, $2) on conflict do nothing`,
      [name, randomBytes(48).toString('base64url')],
    );
    return (await this.read(name))!;
  }

  private async read(name: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ value: string }>(
      `select value from secrets where name = $1`,
      [name],
    );
    return row?.value;
  }
}
