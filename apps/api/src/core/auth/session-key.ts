import { Injectable } from '@nestjs/common';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';

/** The key that signs sessions: configured, or generated once for all processes of this database. */
@Injectable()
export class SessionKey {
  private loaded?: Promise<string>;
  private key?: KeyObject;

  constructor(
    private readonly config: Config,
    private readonly db: Db,
  ) {}

  get(): Promise<string> {
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  /** The same, parsed: who verifies by the text has it tried as a public key at every call. */
  async parsed(): Promise<KeyObject> {
    return (this.key ??= createSecretKey(await this.get(), 'utf8'));
  }

  private async load(): Promise<string> {
    if (this.config.JWT_SECRET) return this.config.JWT_SECRET;
    await this.db.query(
      `insert into secrets (name, value) values ('session', $1) on conflict do nothing`,
      [randomBytes(48).toString('base64url')],
    );
    const [row] = await this.db.query<{ value: string }>(
      `select value from secrets where name = 'session'`,
    );
    return row!.value;
  }
}
