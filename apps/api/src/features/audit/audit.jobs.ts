import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { AuditStore } from './audit.store.ts';

const BATCH_SIZE = 2000;
const DAY_MS = 86_400_000;

@Injectable()
export class AuditJobs {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly store: AuditStore,
  ) {}

  @Sweeps(60_000)
  async dropOld(): Promise<void> {
    const { RETENTION_AUDIT_DAYS: days } = this.config;
    const now = this.clock.now().getTime();
    if (days) await this.store.dropOlder(new Date(now - days * DAY_MS), BATCH_SIZE);
  }
}
