import { Injectable } from '@nestjs/common';
import { CarrierReport, MAX_EXTERNAL_ID, type ReportResult } from '@heliograph/contract';
import {
  carrierFailure,
  isUuid,
  mergePart,
  mergeParts,
  numberLookup,
  type NumberLookup,
  type CarrierFailure,
  type SaidFailure,
  type Status,
  type StatusReport,
} from '@heliograph/domain';
import type { CarrierReport as DriverReport } from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { findInvalidText } from '../../../core/http/invalid-text.ts';
import { parseWith } from '../../../core/http/sentences.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import {
  SuppressionsService,
  type RecipientSuppression,
} from '../../suppressions/suppressions.service.ts';
import { CarrierRefsStore, type CarrierRef, type UnmatchedReport } from './carrier-refs.store.ts';
import { ReportsService, type Report } from './reports.service.ts';

/** The clock of a carrier may be ahead by so much, as in its signatures. */
const MAX_AHEAD_SECONDS = 300;
/** Unmatched reports that are looked at in one transaction. */
const MAX_LATE = 500;

/** Reports of carriers, by our reference or by their own id: posted, pushed over an open channel, or asked for. */
@Injectable()
export class CarrierReportsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly refs: CarrierRefsStore,
    private readonly reports: ReportsService,
    private readonly states: ChannelStatesService,
    private readonly suppressions: SuppressionsService,
    private readonly log: Log,
  ) {}

  /** Posted reports, stored before the response: a result for each. A report of an unknown id of the carrier is kept for a day: it may arrive before its submit is recorded. */
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
    const matched = byExternalId.length ? (await this.match(channel, byExternalId)).merged : [];
    // It was asked for these references.
    const own = byReference.map((report) => ({
      id: report.reference,
      status: report.status,
      at: report.at,
      ...(report.note && { note: report.note }),
      ...(report.lookup && { lookup: report.lookup }),
      ...(report.seconds !== undefined && { seconds: report.seconds }),
      ...failureOf(report),
    }));
    return [...own, ...matched];
  }

  /** Applies the reports in one transaction. Returns a function that gives the result of each. */
  private record(
    channel: string,
    reports: GivenReport[],
  ): Promise<(report: GivenReport) => Result> {
    return this.db.transaction(async () => {
      const { own, refs, merged, changed } = await this.match(channel, reports);
      await this.suppressions.suppressRecipients(suppressionsIn(reports, own, refs));
      for (const id of await this.reports.apply(merged)) changed.add(id);
      return ({ reference, isExternal }): Result => {
        const ref = isExternal ? refs.get(reference) : undefined;
        const id = ref?.id ?? (own.has(reference) && reference);
        const isChanged = id && changed.has(ref && ref.parts > 1 ? ref.externalId : id);
        if (id) return { result: isChanged ? 'applied' : 'ignored' };
        if (isExternal || isUuid(reference)) return { result: 'unmatched' };
        return { result: 'invalid', reason: 'The reference is no id of ours.' };
      };
    });
  }

  /**
   * Finds the messages of reports, and keeps those of the carrier's ids that are not known: the submit that gives them may not be
   * recorded yet. In the transaction of the caller.
   */
  private async match(channel: string, reports: GivenReport[]): Promise<Matched> {
    const external = reports.filter(({ isExternal }) => isExternal);
    const references = reports.filter((r) => !r.isExternal && isUuid(r.reference));
    const found = external.length
      ? await this.refs.find(
          channel,
          external.map((r) => r.reference),
        )
      : [];
    const refs = new Map(found.map((ref) => [ref.externalId, ref]));
    const own = references.length
      ? await this.refs.ownOf(
          channel,
          references.map((r) => r.reference),
        )
      : new Set<string>();
    const unmatched = external.filter(({ reference }) => !refs.has(reference));
    if (unmatched.length) await this.refs.addUnmatched(channel, unmatched);
    const byReference = references.filter(({ reference }) => own.has(reference));
    const ofRefs = await this.ofRefs(channel, external, refs);
    const merged = [
      ...byReference.map((report) => asReport(report.reference, report)),
      ...ofRefs.merged,
    ];
    return { own, refs, merged, changed: ofRefs.changed };
  }

  /** What reports of known ids of the carrier say of their messages. Those of a part are merged with what is known of the others. */
  private async ofRefs(
    channel: string,
    reports: GivenReport[],
    refs: ReadonlyMap<string, CarrierRef>,
  ): Promise<{ merged: Report[]; changed: Set<string> }> {
    const known = reports.filter(({ reference }) => refs.has(reference));
    const [ofParts, ofMessages] = partition(
      known,
      (report) => refs.get(report.reference)!.parts > 1,
    );
    const merged = ofMessages.map((report) => asReport(refs.get(report.reference)!.id, report));
    const changed = new Set<string>();
    if (!ofParts.length) return { merged, changed };
    const given = Map.groupBy(ofParts, ({ reference }) => reference);
    const ids = [...new Set(ofParts.map(({ reference }) => refs.get(reference)!.id))];
    const states = await this.refs.lockParts(channel, ids);
    const updated = states.flatMap((state) => {
      const report = mergePart([state.report ?? [], given.get(state.externalId) ?? []].flat());
      const isNew =
        report && (report.status !== state.report?.status || report.at < state.report.at);
      if (!isNew) return [];
      state.report = report;
      changed.add(state.externalId);
      return [state];
    });
    if (updated.length) await this.refs.setParts(updated);
    for (const [id, own] of Map.groupBy(states, (state) => state.id)) {
      // A message that was submitted twice may have two ids for each part.
      const parts = [...Map.groupBy(own, ({ part }) => part).values()].map((same) =>
        mergePart(same.flatMap(({ report }) => report ?? [])),
      );
      const report = mergeParts(parts);
      const note = own
        .flatMap(({ externalId }) => given.get(externalId) ?? [])
        .find((r) => r.note)?.note;
      if (report) merged.push({ id, ...report, ...(note && { note }) });
    }
    return { merged, changed };
  }

  /** Matches reports that were stored while the submit that gives their ids was being recorded. */
  @Sweeps(1000)
  async matchLate(): Promise<boolean> {
    return this.db.transaction(async () => {
      const { taken, looked } = await this.refs.takeMatched(MAX_LATE);
      const merged: Report[] = [];
      for (const [channel, own] of Map.groupBy(taken, (report) => report.channel))
        merged.push(...(await this.matchStored(channel, own)));
      await this.reports.apply(merged);
      return looked === MAX_LATE;
    });
  }

  /** Without those whose id cannot be stored: the carrier would repeat them, and all that comes with them, for ever. */
  private readable(reports: DriverReport[]): GivenReport[] {
    const readable = reports.flatMap((report) => {
      const { reference, externalId, status, note, lookup, seconds, at, suppress } = report;
      const id = reference?.toLowerCase() ?? externalId;
      if (!id || !isKept(id)) return [];
      const isExternal = reference === undefined;
      const kept = note && findInvalidText(note) === null ? { note } : {};
      return {
        reference: id,
        isExternal,
        status,
        ...kept,
        ...(lookup && { lookup }),
        ...(seconds !== undefined && { seconds }),
        ...(suppress && { suppress }),
        ...failureOf(report),
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
    at,
    lookup: saidLookup,
    seconds,
    ...said
  }: CarrierReport): Omit<ParsedReport, 'index'> {
    const original = (reference || externalId)!;
    const lookup = saidLookup && numberLookup(saidLookup);
    return {
      original,
      reference: reference ? original.toLowerCase() : original,
      isExternal: !reference,
      status: status as Status,
      ...(lookup && { lookup }),
      ...(seconds != null && { seconds }),
      ...failureOf({ status, ...said }),
      at: this.timeOf(at ? new Date(at) : this.clock.now()),
    };
  }

  /** A time in the future is that of a wrong clock: the report has just arrived. */
  private timeOf(at: Date): Date {
    const now = this.clock.now();
    return at <= secondsAfter(now, MAX_AHEAD_SECONDS) ? at : now;
  }

  /**
   * Stores ids that the carrier gave on submit, for each message those of its parts in order. Returns what reports that came under them
   * before say, which the caller applies.
   */
  async addReferences(
    channel: string,
    references: { id: string; externalIds: string[] }[],
  ): Promise<Report[]> {
    const refs = references.flatMap(({ id, externalIds }) => {
      const ids = [...new Set(externalIds.filter(isKept))];
      return ids.map((externalId, i) => ({ id, externalId, part: i + 1, parts: ids.length }));
    });
    if (!refs.length) return [];
    await this.refs.add(channel, refs);
    const externalIds = refs.map((ref) => ref.externalId);
    return this.matchStored(channel, await this.refs.takeUnmatched(channel, externalIds));
  }

  private async matchStored(channel: string, stored: UnmatchedReport[]): Promise<Report[]> {
    const reports = stored.map((report) => ({ ...report, isExternal: true }));
    return reports.length ? (await this.match(channel, reports)).merged : [];
  }
}

type Result = Pick<ReportResult, 'result' | 'reason'>;

interface GivenReport extends StatusReport {
  /** Normalized. */
  reference: string;
  isExternal: boolean;
  note?: string;
  lookup?: NumberLookup | null;
  seconds?: number | null;
  suppress?: RecipientSuppression['reason'];
}

interface ParsedReport extends GivenReport {
  index: number;
  /** As the carrier sent it. */
  original: string;
}

interface Matched {
  /** The references of ours that were found, and the ids of the carrier. */
  own: ReadonlySet<string>;
  refs: ReadonlyMap<string, CarrierRef>;
  /** To be applied. */
  merged: Report[];
  /** Ids of parts of which there is something new. */
  changed: Set<string>;
}

/** Whom the reports want to get no more messages. A report whose message is not known yet cannot name anybody. */
const suppressionsIn = (
  reports: GivenReport[],
  own: ReadonlySet<string>,
  refs: ReadonlyMap<string, CarrierRef>,
): RecipientSuppression[] =>
  reports.flatMap(({ suppress, isExternal, reference, carrierText }) => {
    const known = own.has(reference) ? reference : undefined;
    const SendingId = isExternal ? refs.get(reference)?.id : known;
    return suppress && SendingId
      ? [{ SendingId, reason: suppress, note: carrierText ?? null }]
      : [];
  });

/** Whether an id of a carrier can be stored. */
const isKept = (id: string) =>
  id !== '' && id.length <= MAX_EXTERNAL_ID && findInvalidText(id) === null;

const asReport = (
  id: string,
  { reference: _, isExternal: __, suppress: ___, ...report }: GivenReport,
): Report => ({
  id,
  ...report,
});

/** Of a report that is no failure, codes and texts mean nothing. */
const failureOf = ({ status, ...said }: { status: string } & SaidFailure): CarrierFailure =>
  carrierFailure(status === 'failed' ? said : {});

function partition<T>(all: T[], belongs: (one: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(all, belongs);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}

/** The reference of an invalid report, if it has one, so that the carrier can find it. */
function referenceIn(item: unknown): string | null {
  const { reference, externalId } = (item ?? {}) as Record<string, unknown>;
  const original = reference ?? externalId;
  return typeof original === 'string' ? original.slice(0, MAX_EXTERNAL_ID) : null;
}
