import { Injectable } from '@nestjs/common';
import { Db } from './db.ts';

/** Time zones that Postgres knows: its data may be older than the runtime's. Its view reads the files of all zones, so it is asked once. */
@Injectable()
export class TimeZonesStore {
  private names: Promise<Map<string, string>> | null = null;

  constructor(private readonly db: Db) {}

  /** The name as Postgres writes it, whatever the case; null if it is unknown. */
  async nameOf(name: string): Promise<string | null> {
    this.names ??= this.load();
    try {
      return (await this.names).get(name.toLowerCase()) ?? null;
    } catch (error) {
      this.names = null;
      throw error;
    }
  }

  private async load(): Promise<Map<string, string>> {
    const rows = await this.db.query<{ name: string }>(`select name from pg_timezone_names`);
    return new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
  }
}
