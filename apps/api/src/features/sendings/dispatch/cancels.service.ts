import { Injectable } from '@nestjs/common';
import { STOPPED } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { ReportsService } from '../reports/reports.service.ts';
import { DispatchStore } from './dispatch.store.ts';

/** Ends single messages before they are submitted. */
@Injectable()
export class CancelsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: DispatchStore,
    private readonly reports: ReportsService,
  ) {}

  /** Ends the message with its fallbacks, refunded. False if a carrier has it, or may have it, or if it is no single message. */
  cancel(id: string): Promise<boolean> {
    return this.db.transaction(async () => {
      if (!(await this.store.lockUnsubmitted(id))) return false;
      await this.store.endChain(id);
      const at = this.clock.now();
      await this.reports.apply([{ id, status: 'failed', code: STOPPED, at }]);
      await this.store.dropEmpty(id, at);
      return true;
    });
  }
}
