import type { AutomationRun as Wire, AutomationRunState } from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A person in an automation. */
@Entity('automation_runs')
export class AutomationRun {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') AutomationId: string;
  @Column('uuid') OwnerId: string;
  @Column('text') address: string;
  /** A person enters once for each: a year of a date, a day of a keyword. */
  @Column('text', { default: '' }) occurrence: string;
  @Column('uuid', { nullable: true }) ContactId: string | null;
  /** `new`: not counted yet. */
  @Column('text', { default: 'new' }) state: AutomationRunState | 'new';
  @Column('integer', { array: true, default: [] }) taken: number[];
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  /** Failures of the next step. */
  @Column('smallint', { default: 0 }) tries: number;
  @Column('text', { nullable: true }) code: string | null;
  @Column('uuid', { nullable: true }) SendingId: string | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}

export const presentRun = (row: AutomationRun): Wire => ({
  id: row.id,
  address: row.address,
  ContactId: row.ContactId,
  state: row.state === 'new' ? 'waiting' : row.state,
  taken: row.taken,
  dueAt: row.dueAt?.toISOString() ?? null,
  code: row.code,
  SendingId: row.SendingId,
  createdAt: row.createdAt.toISOString(),
});
