import { Injectable } from '@nestjs/common';
import { findOperator } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { operators } from '../sendings/pricing/pricing.service.ts';
import { RollupsStore } from './rollups.store.ts';

const MAX_UNCOUNTED = 2000;

/** Keeps the sums of messages by quarter of an hour. */
@Injectable()
export class RollupsService {
  constructor(
    private readonly db: Db,
    private readonly store: RollupsStore,
  ) {}

  @Sweeps(1000)
  addChanges(): Promise<boolean> {
    return this.store.addChanges();
  }

  /** Messages of versions without rollups. */
  @Sweeps(5000)
  countOlder(): Promise<boolean> {
    return this.db.transaction(async () => {
      const rows = await this.store.lockUncounted(MAX_UNCOUNTED);
      if (!rows.length) return false;
      const table = operators();
      const codeOf = (phone: string) =>
        (phone.startsWith('+') && findOperator(table, phone)?.mccmnc) || '';
      await this.store.count(rows.map(({ id, phone }) => ({ id, mccmnc: codeOf(phone) })));
      return rows.length === MAX_UNCOUNTED;
    });
  }
}
