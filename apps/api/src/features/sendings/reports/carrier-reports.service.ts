import { Injectable } from '@nestjs/common';
import { CarrierReport, MAX_EXTERNAL_ID, type ReportResult } from '@heliograph/contract';
import { carrierCode, isUuid, type Status } from '@heliograph/domain';
import type { CarrierReport as DriverReport } from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { findInvalidText } from '../../../core/http/invalid-text.ts';
import { parseWith } from '../../../core/http/sentences.ts';
import { Log } from '../../../core/log.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ReportsService, type Report } from './reports.service.ts';
import { ReportsStore } from './reports.store.ts';

/** The clock of a carrier may be ahead by so much, as in its signatures. */
const MAX_AHEAD_SECONDS = 300;

/** Reports of carriers, by our reference or by their own id: posted, pushed over an open channel, or asked for. */
@Injectable()
export class CarrierReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
    private readonly states: ChannelStatesService,
    private readonly log: Log,
  ) {}

  /** Posted reports, stored before the response: a result for each. A report with an unknown reference is kept for a day: it may arrive before its submit is recorded. */
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

  /** Reports that a driver hands on while its channel is open; resolves after the commit. */
  async push(channel: string, reports: DriverReport[]): Promise<void> {
    this.states.reported(channel);
    const readable = this.readable(reports);
    if (readable.length) await this.record(channel, readable);
  }

  /** Reports that a driver was asked for, as its caller applies them. In the transaction of the caller. */
  async matched(channel: string, reports: DriverReport[]): Promise<Report[]> {
    const byReference = reports.filter((report) => report.reference !== undefined);
    const byExternalId = this.readable(reports.filter(({ externalId }) => externalId));
    const matched = byExternalId.length ? (await this.match(channel, byExternalId)).matched : [];
    // It was asked for these references.
    const own = byReference.map(({ reference, status, code, note, at }) => ({
      id: reference,
      status,
      at,
      ...(note && { note }),
      ...(code && { code: carrierCode(code) }),
    }));
    return [...own, ...matched];
  }

  /** Applies the reports in one transaction. Returns a function that gives the result of each. */
  private record(
    channel: string,
    reports: GivenReport[],
  ): Promise<(report: GivenReport) => Result> {
    return this.db.transaction(async () => {
      const { known, matched } = await this.match(channel, reports);
      const changed = new Set(await this.reports.apply(matched));
      return (report): Result => {
        const id = known.get(report.reference);
        if (id) return { result: changed.has(id) ? 'applied' : 'ignored' };
        if (isUnmatched(report, known)) return { result: 'unmatched' };
        return { result: 'invalid', reason: 'The reference is no id of ours.' };
      };
    });
  }

  /** Finds the messages of reports, and keeps reports whose reference is not known. */
  private async match(
    channel: string,
    reports: GivenReport[],
  ): Promise<{ known: Map<string, string>; matched: Report[] }> {
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
    const matched = reports.flatMap(({ reference, status, code, note, at }) => {
      const id = known.get(reference);
      return id ? [{ id, status, code, at, ...(note && { note }) }] : [];
    });
    const unmatched = reports.filter((r) => isUnmatched(r, known));
    if (unmatched.length) await this.store.addUnmatched(channel, unmatched);
    return { known, matched };
  }

  /** Without those whose id cannot be stored: the carrier would repeat them, and all that comes with them, for ever. */
  private readable(reports: DriverReport[]): GivenReport[] {
    const readable = reports.flatMap(({ reference, externalId, status, code, note, at }) => {
      const id = reference?.toLowerCase() ?? externalId;
      if (!id || id.length > MAX_EXTERNAL_ID || findInvalidText(id) !== null) return [];
      const isExternal = reference === undefined;
      const kept = note && findInvalidText(note) === null ? { note } : {};
      return {
        reference: id,
        isExternal,
        status,
        ...kept,
        code: code ? carrierCode(code) : null,
        at: this.timeOf(at),
      };
    });
    const dropped = reports.length - readable.length;
    if (dropped) this.log.warn({ dropped }, 'Reports whose ids cannot be stored were dropped.');
    return readable;
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
      at: this.timeOf(at ? new Date(at) : this.clock.now()),
    };
  }

  /** A time in the future is that of a wrong clock: the report has just arrived. */
  private timeOf(at: Date): Date {
    const now = this.clock.now();
    return at <= secondsAfter(now, MAX_AHEAD_SECONDS) ? at : now;
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

interface GivenReport {
  /** Normalized. */
  reference: string;
  isExternal: boolean;
  status: Status;
  code: string | null;
  note?: string;
  at: Date;
}

interface ParsedReport extends GivenReport {
  index: number;
  /** As the carrier sent it. */
  original: string;
}

function isUnmatched({ reference, isExternal }: GivenReport, known: Map<string, string>): boolean {
  return !known.has(reference) && (isExternal || isUuid(reference));
}

/** The reference of an invalid report, if it has one, so that the carrier can find it. */
function referenceIn(item: unknown): string | null {
  const { reference, externalId } = (item ?? {}) as Record<string, unknown>;
  const original = reference ?? externalId;
  return typeof original === 'string' ? original.slice(0, MAX_EXTERNAL_ID) : null;
}
