import { Injectable } from '@nestjs/common';
import {
  type NumberLookup,
  statusCode,
  statusOf,
  type Status,
  type StatusReport,
  type StoredStatus,
  wordsOf,
} from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { unnestRows } from '../unnest.ts';

/** An id that the carrier gave to a message, or to one of its parts. */
export interface CarrierRef {
  externalId: string;
  /** Our id of the sending. */
  id: string;
  /** The number of the part, from 1, and of all parts. */
  part: number;
  parts: number;
}

/** What the carrier has reported of a part so far. */
export interface PartState extends CarrierRef {
  channel: string;
  report: StatusReport | null;
}

export interface UnmatchedReport extends StatusReport {
  /** The id of the carrier. */
  reference: string;
  lookup?: NumberLookup | null;
  seconds?: number | null;
}

const SAID = `code, carrier_code as "carrierCode", carrier_text as "carrierText"`;

/** The ids of carriers, and reports of ids that are not known yet. */
@Injectable()
export class CarrierRefsStore {
  constructor(private readonly db: Db) {}

  /**
   * An id that the carrier gives again is that of the last message: it may begin anew after a failure. What it has reported of the same
   * message stays.
   */
  async add(channel: string, refs: CarrierRef[]): Promise<void> {
    const source = unnestRows(refs, {
      external_id: ['text', (ref) => ref.externalId],
      sending_id: ['uuid', (ref) => ref.id],
      part: ['smallint', (ref) => ref.part],
      parts: ['smallint', (ref) => ref.parts],
    });
    const names = Object.keys(source.expressions);
    await this.db.query(
      `insert into carrier_refs as c (channel, ${names.join(', ')})
       select distinct on (external_id) $${source.parameters.length + 1}::text, ${names.join(', ')}
         from (select ${source.select(names)} from ${source.from}) as r(${names.join(', ')}) order by external_id, sending_id desc, part
       on conflict (channel, external_id) do update set sending_id = excluded.sending_id, part = excluded.part, parts = excluded.parts,
         status = case when c.sending_id = excluded.sending_id then c.status end,
         code = case when c.sending_id = excluded.sending_id then c.code end,
         carrier_code = case when c.sending_id = excluded.sending_id then c.carrier_code end,
         carrier_text = case when c.sending_id = excluded.sending_id then c.carrier_text end,
         at = case when c.sending_id = excluded.sending_id then c.at end`,
      [...source.parameters, channel],
    );
  }

  find(channel: string, externalIds: string[]): Promise<CarrierRef[]> {
    return this.db.query(
      `select external_id as "externalId", sending_id as id, part, parts from carrier_refs where channel = $1 and external_id = any($2)`,
      [channel, externalIds],
    );
  }

  /** Those of our references that are sendings on the channel. */
  async ownOf(channel: string, references: string[]): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select s.id from sendings s join batches b on b.id = s.batch_id where s.id = any($2::uuid[]) and b.channel = $1`,
      [channel, references],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** All parts of messages, locked: reports of two parts at the same time are merged one after the other. */
  async lockParts(channel: string, ids: string[]): Promise<PartState[]> {
    const rows = await this.db.query<
      CarrierRef & Omit<StatusReport, 'status' | 'at'> & { status: number | null; at: Date | null }
    >(
      `select external_id as "externalId", sending_id as id, part, parts, status, at, ${SAID} from carrier_refs
        where sending_id = any($2) and channel = $1 order by sending_id, part, external_id for update`,
      [channel, ids],
    );
    return rows.map(({ status, code, carrierCode, carrierText, at, ...ref }) => {
      const said = { code, ...wordsOf({ carrierCode, carrierText }) };
      const report = at && { status: statusOf(status!) as Status, at, ...said };
      return { ...ref, channel, report };
    });
  }

  async setParts(parts: PartState[]): Promise<void> {
    const source = unnestRows(parts, {
      external_id: ['text', (part) => part.externalId],
      channel: ['text', (part) => part.channel],
      status: ['smallint', ({ report }) => report && statusCode(report.status as StoredStatus)],
      code: ['text', ({ report }) => report?.code ?? null],
      carrier_code: ['text', ({ report }) => report?.carrierCode ?? null],
      carrier_text: ['text', ({ report }) => report?.carrierText ?? null],
      at: ['timestamptz', ({ report }) => report?.at ?? null],
    });
    const names = Object.keys(source.expressions);
    await this.db.query(
      `update carrier_refs c set status = r.status, code = r.code, carrier_code = r.carrier_code, carrier_text = r.carrier_text, at = r.at
         from (select ${source.select(names)} from ${source.from}) as r(${names.join(', ')})
        where c.channel = r.channel and c.external_id = r.external_id`,
      source.parameters,
    );
  }

  /** A repeated call stores nothing twice. The length of a call may come after its delivery. */
  async addUnmatched(channel: string, reports: UnmatchedReport[]): Promise<void> {
    await this.db.query(
      `insert into unmatched_reports (channel, reference, status, code, carrier_code, carrier_text, lookup, seconds, at)
       select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::integer[], $9::timestamptz[])
       on conflict do nothing`,
      [
        channel,
        reports.map((r) => r.reference),
        reports.map((r) => r.status),
        reports.map((r) => r.code),
        reports.map((r) => r.carrierCode),
        reports.map((r) => r.carrierText),
        reports.map((r) => (r.lookup ? JSON.stringify(r.lookup) : null)),
        reports.map((r) => r.seconds ?? null),
        reports.map((r) => r.at),
      ],
    );
    const timed = reports.filter(({ seconds }) => seconds != null);
    if (timed.length)
      await this.db.query(
        `update unmatched_reports u set seconds = r.seconds from unnest($2::text[], $3::text[], $4::integer[]) as r(reference, status, seconds)
          where u.channel = $1 and u.reference = r.reference and u.status = r.status and u.seconds is null`,
        [
          channel,
          timed.map((r) => r.reference),
          timed.map((r) => r.status),
          timed.map((r) => r.seconds),
        ],
      );
  }

  /** Deletes and returns the unmatched reports of references that are known now. */
  takeUnmatched(channel: string, references: string[]): Promise<UnmatchedReport[]> {
    return this.db.query(
      `delete from unmatched_reports where channel = $1 and reference = any($2) returning reference, status, at, lookup, seconds, ${SAID}`,
      [channel, references],
    );
  }

  /**
   * Takes, of the unmatched reports that are due, those whose id is known now. A report is due a second after it was stored, then each time that
   * it is four times as old, and last when every transaction that ran at that moment has ended. Returns how many were looked at, too.
   */
  async takeMatched(
    limit: number,
  ): Promise<{ taken: (UnmatchedReport & { channel: string })[]; looked: number }> {
    const rows = await this.db.query<UnmatchedReport & { channel: string; isTaken: boolean }>(
      `with due as (
         select u.id, exists (select 1 from carrier_refs c where c.channel = u.channel and c.external_id = u.reference) as matches
           from unmatched_reports u where u.due_at <= now() order by u.due_at limit $1 for update of u skip locked),
       taken as (
         delete from unmatched_reports u using due where u.id = due.id and due.matches returning u.channel, u.reference, u.status, u.at, u.lookup, u.seconds, ${SAID}),
       kept as (
         update unmatched_reports u
            set due_at = case when u.created_at > now() - ${LAST_LOOK} then u.created_at + least(4 * (now() - u.created_at), ${LAST_LOOK}) end
           from due where u.id = due.id and not due.matches returning u.channel, u.reference, u.status, u.at, u.lookup, u.seconds, ${SAID})
       select *, true as "isTaken" from taken union all select *, false from kept`,
      [limit],
    );
    const taken = rows.filter(({ isTaken }) => isTaken);
    return { taken: taken.map(({ isTaken: _, ...report }) => report), looked: rows.length };
  }
}

/** Longer than a transaction may take. */
const LAST_LOOK = `interval '5 minutes'`;
