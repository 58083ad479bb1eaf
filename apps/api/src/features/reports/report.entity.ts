import type {
  Level,
  Report as Wire,
  ReportFailure,
  ReportPreset,
  ReportState,
  ReportWhere,
} from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';

/** A report, pending or made. Its file in the storage has the same id. */
@Entity('reports')
export class Report {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** Whose permissions and access scope apply. */
  @Column('uuid') UserId: string;
  /** The API token that narrows these rights; null without one. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('uuid', { nullable: true }) ScheduleId: string | null;
  @Column('text') preset: ReportPreset;
  @Column('text') format: Wire['format'];
  @Column('text') encoding: Wire['encoding'];
  @Column('text') delimiter: Wire['delimiter'];
  @Column('text') locale: Locale;
  @Column('text') timeZone: string;
  @Column('jsonb') where: ReportWhere;
  @Column('text') filename: string;
  @Column('text', { default: 'pending' }) state: ReportState;
  @Column('text', { nullable: true }) reason: ReportFailure | null;
  @Column('integer', { default: 0 }) rows: number;
  /** Estimated while it runs. */
  @Column('integer', { nullable: true }) total: number | null;
  @Column('integer', { default: 0 }) replaced: number;
  @Column('bigint', { nullable: true }) size: string | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('smallint', { default: 0 }) attempts: number;
  /** Fencing token of the worker that makes it. */
  @Column('integer', { default: 0 }) lease: number;
  /** How often the database had no room for it. */
  @Column('smallint', { default: 0 }) postponed: number;
  /** Of a pending report: before when it is not made. */
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
  @VirtualColumn({
    type: 'boolean',
    query: (report) =>
      `exists (select 1 from files f where f.id = ${report}.id and (f.expired_at is null or f.expired_at > now()))`,
  })
  hasFile: boolean;
}

export function present(row: WithOwner<Report>, level: Level): Wire {
  return {
    id: row.id,
    key: row.id,
    preset: row.preset,
    format: row.format,
    encoding: row.encoding,
    delimiter: row.delimiter,
    locale: row.locale,
    timeZone: row.timeZone,
    where: row.where,
    state: row.state,
    progress: { rows: row.rows, total: row.total },
    replaced: row.replaced,
    reason: row.reason,
    filename: row.filename,
    size: row.size === null ? null : Number(row.size),
    hasFile: row.hasFile,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    ScheduleId: row.ScheduleId,
    UserId: row.UserId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
