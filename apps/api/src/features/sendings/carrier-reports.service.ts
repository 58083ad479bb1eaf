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
      const named = statuses.map((s) => this.named(s));
      const externals = named.filter((s) => s.isExternal).map((s) => s.name);
      const references = named.filter((s) => !s.isExternal && isUuid(s.name)).map((s) => s.name);
      let known = await this.store.resolve(channel, references, externals);
      if (externals.some((name) => !known.has(name))) {
        // A handover may be naming them just now: behind its lock it has, or it will find what we park.
        await this.store.holdReferences(channel);
        known = await this.store.resolve(channel, references, externals);
      }
      const here = named.flatMap(({ name, status, code, at }) => {
        const id = known.get(name);
        return id ? [{ id, status, code, at }] : [];
      });
      const changed = new Set(await this.reports.apply(here));
      const parked = named.filter((s) => isParked(s, known));
      if (parked.length) await this.store.park(channel, parked);
      return named.map((s): Result => {
        const id = known.get(s.name);
        const result = id
          ? changed.has(id)
            ? 'applied'
            : 'ignored'
          : isParked(s, known)
            ? 'parked'
            : 'invalid';
        return { reference: s.given, result };
      });
    });
  }

  private named({ reference, externalId, status, code, at }: CarrierReport): Named {
    const given = (reference ?? externalId)!;
    return {
      given,
      name: reference === undefined ? given : given.toLowerCase(),
      isExternal: reference === undefined,
      status: status as Status,
      code: code ?? null,
      at: at ? new Date(at) : this.clock.now(),
    };
  }

  /** Ids that the carrier gave at a handover; what was parked for them is applied. */
  async nameReferences(
    channel: string,
    given: { id: string; externalId: string }[],
  ): Promise<void> {
    await this.store.holdReferences(channel);
    await this.store.keepReferences(channel, given);
    const ids = new Map(given.map((g) => [g.externalId, g.id]));
    const parked = await this.store.unpark(channel, [...ids.keys()]);
    await this.reports.apply(
      parked.map(({ reference, status, code, at }) => ({
        id: ids.get(reference)!,
        status: status as Status,
        code,
        at,
      })),
    );
  }
}

interface Named {
  given: string;
  name: string;
  isExternal: boolean;
  status: Status;
  code: string | null;
  at: Date;
}

function isParked({ name, isExternal }: Named, known: Map<string, string>): boolean {
  return !known.has(name) && (isExternal || isUuid(name));
}
