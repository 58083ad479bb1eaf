import type {
  Level,
  ReportPreset,
  ReportSchedule as Wire,
  ReportWhere,
} from '@heliograph/contract';
import type { Locale, RepeatFrequency } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';

@Entity('report_schedules')
export class ReportSchedule {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** Who receives the e-mails, and whose rights apply. */
  @Column('uuid') UserId: string;
  /** The API token that narrows these rights; null without one. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('text') preset: ReportPreset;
  @Column('text') format: Wire['format'];
  @Column('text') encoding: Wire['encoding'];
  @Column('text') delimiter: Wire['delimiter'];
  @Column('text') locale: Locale;
  @Column('text') timeZone: string;
  /** Without a time range. */
  @Column('jsonb') where: ReportWhere;
  @Column('text') frequency: RepeatFrequency;
  @Column('smallint', { nullable: true }) weekday: number | null;
  @Column('smallint', { nullable: true }) day: number | null;
  @Column('smallint') hour: number;
  @Column('boolean') isActive: boolean;
  @Column('text', { nullable: true }) reason: 'forbidden' | null;
  @Column('timestamptz', { nullable: true }) nextRunAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastRunAt: Date | null;
  /** The start of the last period of which a report was requested. */
  @Column('timestamptz', { nullable: true }) lastPeriod: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function presentSchedule(row: WithOwner<ReportSchedule>, level: Level): Wire {
  return {
    id: row.id,
    preset: row.preset,
    format: row.format,
    encoding: row.encoding,
    delimiter: row.delimiter,
    locale: row.locale,
    timeZone: row.timeZone,
    where: row.where,
    frequency: row.frequency,
    weekday: row.weekday,
    day: row.day,
    hour: row.hour,
    isActive: row.isActive,
    reason: row.reason,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    UserId: row.UserId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
