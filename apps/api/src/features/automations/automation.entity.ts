import type {
  Automation as Wire,
  AutomationStep,
  AutomationTrigger,
  Level,
} from '@heliograph/contract';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { ownerRef, type WithOwner } from '../../core/auth/owners.ts';

/** Of a step: how many have taken it, and for how many of them it had no effect, by the reason. */
export interface StepCounts {
  taken: number;
  held: Record<string, number>;
}

export const ENDS = ['done', 'stopped', 'left', 'failed'] as const;
export type End = (typeof ENDS)[number];

/** Numbers of people. Absent: none. */
export type Counts = Partial<Record<'entered' | End, number>> & {
  steps?: Record<number, StepCounts>;
};

@Entity('automations')
export class Automation {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** With whose rights it acts: the user who set it up or changed it last. */
  @Column('uuid') UserId: string;
  /** The API token that narrows these rights; null without one. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('text') title: string;
  @Column('jsonb') trigger: AutomationTrigger;
  @Column('jsonb') steps: AutomationStep[];
  @Column('integer') lastStep: number;
  @Column('text') timeZone: string;
  @Column('boolean') isActive: boolean;
  @Column('text', { nullable: true }) reason: Wire['reason'];
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) nextScanAt: Date | null;
  @Column('timestamptz', { nullable: true }) scanAt: Date | null;
  @Column('uuid', { nullable: true }) scanList: string | null;
  @Column('uuid', { nullable: true }) scanAfter: string | null;
  @Column('timestamptz', { nullable: true }) scannedTo: Date | null;
  @Column('jsonb', { default: {} }) counts: Counts;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

export function present(row: WithOwner<Automation>, level: Level): Wire {
  const { counts } = row;
  return {
    id: row.id,
    title: row.title,
    trigger: row.trigger,
    steps: row.steps,
    timeZone: row.timeZone,
    isActive: row.isActive,
    reason: row.reason,
    startedAt: row.startedAt?.toISOString() ?? null,
    nextScanAt: row.nextScanAt?.toISOString() ?? null,
    entered: counts.entered ?? 0,
    done: counts.done ?? 0,
    stopped: counts.stopped ?? 0,
    left: counts.left ?? 0,
    failed: counts.failed ?? 0,
    UserId: row.UserId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: ownerRef(row.Owner) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
