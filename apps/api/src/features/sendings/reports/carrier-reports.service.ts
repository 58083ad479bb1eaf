import { Injectable } from '@nestjs/common';
import { CarrierReport, MAX_EXTERNAL_ID, type ReportResult } from '@heliograph/contract';
import { carrierCode, isUuid, type Status } from '@heliograph/domain';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { findInvalidText } from '../../../core/http/invalid-text.ts';
import { parseWith } from '../../../core/http/sentences.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ReportsService, type Report } from './reports.service.ts';
import { ReportsStore } from './reports.store.ts';

/** The clock of a carrier may be ahead by so much, as in its signatures. */
const MAX_AHEAD_SECONDS = 300;

/** Reports that carriers post, by our reference or by their own id. Stored before the response. */
@Injectable()
export class CarrierReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
    private readonly states: ChannelStatesService,
  ) {}

  /** A result per report. A report with an unknown reference is kept for a day: it may arrive before its submit is recorded. */
  async receive(channel: string, statuses: unknown[]): Promise<ReportResult[]> {
    this.states.reported(channel);
    const parsed = statuses.map((item, index) => this.parse(item, index));
    const valid = parsed.filter((report) => 'status' in report);
    const resultOf = valid.length ? await this.record(channel, valid) : undefined;
    return parsed.map((report) =>
      'status' in report
        ? { index: report.index, reference: report.original, ...resultOf!(report) }
        : report,
    );
  }

  /** Applies the reports in one transaction. Returns a function that gives the result of each. */
  private record(
    channel: string,
    reports: ParsedReport[],
  ): Promise<(report: ParsedReport) => Result> {
    return this.db.transaction(async () => {
      const externals = reports.filter((r) => r.isExternal).map((r) => r.reference);
      const references = reports
        .filter((r) => !r.isExternal && isUuid(r.reference))
        .map((r) => r.reference);
      let known = await this.store.resolve(channel, references, externals);
      if (externals.some((reference) => !known.has(reference))) {
        // A submit may be storing them right now. After its lock they are known, or it finds the reports stored below.
        await this.store.lockReferences(channel);
        known = await this.store.resolve(channel, references, externals);
      }
      const matched = reports.flatMap(({ reference, status, code, at }) => {
        const id = known.get(reference);
        return id ? [{ id, status, code, at }] : [];
      });
      const changed = new Set(await this.reports.apply(matched));
      const unmatched = reports.filter((r) => isUnmatched(r, known));
      if (unmatched.length) await this.store.addUnmatched(channel, unmatched);
      return (report): Result => {
        const id = known.get(report.reference);
        if (id) return { result: changed.has(id) ? 'applied' : 'ignored' };
        if (isUnmatched(report, known)) return { result: 'unmatched' };
        return { result: 'invalid', reason: 'The reference is no id of ours.' };
      };
    });
  }

  /** A report, or the result that says why it is invalid. */
  private parse(item: unknown, index: number): ParsedReport | ReportResult {
    const invalidField = findInvalidText(item);
    const parsed = parseWith(CarrierReport, item);
    if (invalidField === null && 'data' in parsed) return { index, ...this.toReport(parsed.data) };
    const reason =
      invalidField === null && 'issues' in parsed
        ? [...parsed.issues][0]!.message
        : `A character in the field ${invalidField || 'report'} cannot be kept.`;
    return { index, reference: referenceIn(item), result: 'invalid', reason };
  }

  private toReport({
    reference,
    externalId,
    status,
    code,
    at,
  }: CarrierReport): Omit<ParsedReport, 'index'> {
    const original = (reference || externalId)!;
    return {
      original,
      reference: reference ? original.toLowerCase() : original,
      isExternal: !reference,
      status: status as Status,
      code: code ? carrierCode(code) : null,
      at: this.timeOf(at),
    };
  }

  /** A time in the future is that of a wrong clock: the report has just arrived. */
  private timeOf(written: string | undefined): Date {
    const now = this.clock.now();
    const at = written ? new Date(written) : now;
    return at > secondsAfter(now, MAX_AHEAD_SECONDS) ? now : at;
  }

  /** Stores ids that the carrier gave on submit. Returns the reports that came under them before, which the caller applies. */
  async addReferences(
    channel: string,
    references: { id: string; externalId: string }[],
  ): Promise<Report[]> {
    await this.store.lockReferences(channel);
    await this.store.addReferences(channel, references);
    const ids = new Map(references.map((r) => [r.externalId, r.id]));
    const unmatched = await this.store.takeUnmatched(channel, [...ids.keys()]);
    return unmatched.map(({ reference, status, code, at }) => ({
      id: ids.get(reference)!,
      status: status as Status,
      code,
      at,
    }));
  }
}

type Result = Pick<ReportResult, 'result' | 'reason'>;

interface ParsedReport {
  index: number;
  /** As the carrier sent it. */
  original: string;
  /** Normalized. */
  reference: string;
  isExternal: boolean;
  status: Status;
  code: string | null;
  at: Date;
}

function isUnmatched({ reference, isExternal }: ParsedReport, known: Map<string, string>): boolean {
  return !known.has(reference) && (isExternal || isUuid(reference));
}

/** The reference of an invalid report, if it has one, so that the carrier can find it. */
function referenceIn(item: unknown): string | null {
  const { reference, externalId } = (item ?? {}) as Record<string, unknown>;
  const original = reference ?? externalId;
  return typeof original === 'string' ? original.slice(0, MAX_EXTERNAL_ID) : null;
}
