import { Injectable } from '@nestjs/common';
import { CarrierReport, MAX_EXTERNAL_ID, type ReportResult } from '@heliograph/contract';
import { isUuid, type Status } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { findInvalidText } from '../../../core/http/invalid-text.ts';
import { parseWith } from '../../../core/http/sentences.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ReportsService } from './reports.service.ts';
import { ReportsStore } from './reports.store.ts';

/** Reports as carriers post them: by our reference or by their own id, durable before the answer. */
@Injectable()
export class CarrierReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
    private readonly states: ChannelStatesService,
  ) {}

  /** An answer per report. What names nothing that we know is kept unmatched for a day: it may come before its handover is recorded. */
  async take(channel: string, statuses: unknown[]): Promise<ReportResult[]> {
    this.states.reported(channel);
    const read = statuses.map((item, index) => this.read(item, index));
    const named = read.filter((one) => 'name' in one);
    const outcomes = named.length ? await this.record(channel, named) : undefined;
    return read.map((one) =>
      'name' in one ? { index: one.index, reference: one.given, ...outcomes!(one) } : one,
    );
  }

  /** Durable when it ends; says then what became of each. */
  private record(channel: string, named: Named[]): Promise<(one: Named) => Outcome> {
    return this.db.transaction(async () => {
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
      const unmatched = named.filter((s) => isUnmatched(s, known));
      if (unmatched.length) await this.store.keepUnmatched(channel, unmatched);
      return (one): Outcome => {
        const id = known.get(one.name);
        if (id) return { result: changed.has(id) ? 'applied' : 'ignored' };
        if (isUnmatched(one, known)) return { result: 'unmatched' };
        return { result: 'invalid', reason: 'The reference is no id of ours.' };
      };
    });
  }

  /** A report, or what is wrong with it. */
  private read(item: unknown, index: number): Named | ReportResult {
    const broken = findInvalidText(item);
    const read = parseWith(CarrierReport, item);
    if (broken === null && 'data' in read) return { index, ...this.named(read.data) };
    const reason =
      broken === null && 'issues' in read
        ? [...read.issues][0]!.message
        : `A character in the field ${broken || 'report'} cannot be kept.`;
    return { index, reference: givenIn(item), result: 'invalid', reason };
  }

  private named({ reference, externalId, status, code, at }: CarrierReport): Omit<Named, 'index'> {
    const given = (reference || externalId)!;
    return {
      given,
      name: reference ? given.toLowerCase() : given,
      isExternal: !reference,
      status: status as Status,
      code: code ?? null,
      at: at ? new Date(at) : this.clock.now(),
    };
  }

  /** Ids that the carrier gave at a handover; what was kept unmatched for them is applied. */
  async nameReferences(
    channel: string,
    given: { id: string; externalId: string }[],
  ): Promise<void> {
    await this.store.holdReferences(channel);
    await this.store.keepReferences(channel, given);
    const ids = new Map(given.map((g) => [g.externalId, g.id]));
    const unmatched = await this.store.takeUnmatched(channel, [...ids.keys()]);
    await this.reports.apply(
      unmatched.map(({ reference, status, code, at }) => ({
        id: ids.get(reference)!,
        status: status as Status,
        code,
        at,
      })),
    );
  }
}

type Outcome = Pick<ReportResult, 'result' | 'reason'>;

interface Named {
  index: number;
  given: string;
  name: string;
  isExternal: boolean;
  status: Status;
  code: string | null;
  at: Date;
}

function isUnmatched({ name, isExternal }: Named, known: Map<string, string>): boolean {
  return !known.has(name) && (isExternal || isUuid(name));
}

/** The reference of a report that cannot be read, as far as there is one, so that its sender finds it. */
function givenIn(item: unknown): string | null {
  const { reference, externalId } = (item ?? {}) as Record<string, unknown>;
  const given = reference ?? externalId;
  return typeof given === 'string' ? given.slice(0, MAX_EXTERNAL_ID) : null;
}
