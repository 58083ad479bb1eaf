import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { AuditStore } from './audit.store.ts';

@Injectable()
export class AuditJobs {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly store: AuditStore,
    private readonly retention: Retention,
  ) {}

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.db.transaction(async () => {
      await this.store.allowDeletes();
      return this.retention.deleteOlder('audit_log', this.config.RETENTION_AUDIT_DAYS);
    });
  }
}
