import { Controller, Res } from '@nestjs/common';
import { health, type Answer } from '@heliograph/contract';
import type { Response } from 'express';
import { MIGRATIONS } from '../db/data-source.ts';
import { Db } from '../db/db.ts';
import { Jobs } from '../jobs/queue.ts';
import { VERSION } from '../version.ts';
import { Endpoint } from './endpoint.ts';

@Controller()
export class HealthController {
  constructor(
    private readonly db: Db,
    private readonly jobs: Jobs,
  ) {}

  @Endpoint(health.get)
  async get(@Res({ passthrough: true }) response: Response): Promise<Answer<typeof health.get>> {
    const [applied, redis] = await Promise.all([this.applied(), this.jobs.ready()]);
    // More than we know of: a newer version has migrated while we still run.
    const migrations = applied !== null && applied >= MIGRATIONS.length;
    const checks = { database: applied !== null, redis, migrations };
    const ready = Object.values(checks).every(Boolean);
    if (!ready) response.status(503);
    return { status: ready ? 'ready' : 'starting', checks, version: VERSION };
  }

  /** How many migrations have run; null when the database is away. */
  private async applied(): Promise<number | null> {
    try {
      const [table] = await this.db.query<{ there: boolean }>(
        `select to_regclass('migrations') is not null as there`,
      );
      if (!table?.there) return 0;
      const [row] = await this.db.query<{ n: number }>(`select count(*)::int as n from migrations`);
      return row!.n;
    } catch {
      return null;
    }
  }
}
