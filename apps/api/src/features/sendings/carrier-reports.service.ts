import { Injectable } from '@nestjs/common';
import type { CarrierReport } from '@heliograph/contract';
import { isUuid, type Status } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { ReportsService } from './reports.service.ts';
import { ReportsStore } from './reports.store.ts';

type Result = { reference: string; result: 'applied' | 'ignored' | 'parked' | 'invalid' };

/** Reports as carriers post them: by our reference or by their own id, durable before the answer. */
@Injectable()
export class CarrierReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
  ) {}

  /** An answer per report. What names nothing that we know is parked for a day: it may come before its handover is recorded. */
  take(channel: string, statuses: CarrierReport[]): Promise<Result[]> {
    return this.db.transaction(async () => {
      const now = this.clock.now();
      const named = statuses.map((s) => ({
        ...s,
        name: (s.reference ?? s.externalId)!,
        isExternal: s.reference === undefined,
        time: s.at ? new Date(s.at) : now,
      }));
      const references = named.filter((s) => !s.isExternal && isUuid(s.name)).map((s) => s.name);
      const known = await this.store.resolve(
        channel,
        references,
        named.filter((s) => s.isExternal).map((s) => s.name),
      );
      const here = named.flatMap((s) => {
        const id = known.get(s.isExternal ? s.name : s.name.toLowerCase());
        return id ? [{ id, status: s.status as Status, code: s.code ?? null, at: s.time }] : [];
      });
      const changed = new Set(await this.reports.apply(here));
      const parked = named.filter((s) => isParked(s, known));
      if (parked.length) {
        await this.store.park(
          channel,
          parked.map((s) => ({
            reference: s.name,
            isExternal: s.isExternal,
            status: s.status,
            code: s.code ?? null,
            at: s.time,
          })),
        );
      }
      return named.map((s): Result => {
        const id = known.get(s.isExternal ? s.name : s.name.toLowerCase());
        if (id) return { reference: s.name, result: changed.has(id) ? 'applied' : 'ignored' };
        return { reference: s.name, result: isParked(s, known) ? 'parked' : 'invalid' };
      });
    });
  }

  /** What was parked for the carrier's ids, now that a handover has named them. */
  async unpark(channel: string, given: { id: string; externalId: string }[]): Promise<void> {
    const ids = new Map(given.map((g) => [g.externalId, g.id]));
    const parked = await this.store.unpark(channel, [...ids.keys()]);
    await this.reports.apply(
      parked.map((p) => ({
        id: ids.get(p.reference)!,
        status: p.status as Status,
        code: p.code,
        at: p.at,
      })),
    );
  }
}

/** Our own references are written before any handover: one that we do not have will never come. */
function isParked(s: { name: string; isExternal: boolean }, known: Map<string, string>): boolean {
  return !known.has(s.name) && (s.isExternal || isUuid(s.name));
}
