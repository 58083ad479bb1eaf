import type {
  Level,
  RecurringRun,
  RecurringSending as Wire,
  RecurringSendingInput,
} from '@heliograph/contract';
import type { RepeatFrequency, Recurrence } from '@heliograph/domain';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WithOwner } from '../../core/auth/owners.ts';

@Entity('recurring_sendings')
export class RecurringSending implements RecurringSendingInput {
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' }) id: string;
  @Column('uuid') OwnerId: string;
  /** Whose rights each bulk is sent with: the user who set it up or changed it last. */
  @Column('uuid') UserId: string;
  /** The API token that narrows these rights; null without one. */
  @Column('uuid', { nullable: true }) TokenId: string | null;
  @Column('text') title: string;
  @Column('text') type: RecurringSendingInput['type'];
  @Column('jsonb') payload: RecurringSendingInput['payload'];
  @Column('jsonb') fallbacks: RecurringSendingInput['fallbacks'];
  @Column('jsonb') recipient: RecurringSendingInput['recipient'];
  @Column('jsonb', { nullable: true }) schedule: RecurringSendingInput['schedule'];
  @Column('text', { nullable: true }) callbackData: string | null;
  @Column('text') frequency: RepeatFrequency;
  @Column('jsonb') weekdays: number[];
  @Column('smallint', { nullable: true }) day: number | null;
  /** `09:30` */
  @Column('text') time: string;
  @Column('text') timeZone: string;
  @Column('date', { nullable: true }) from: string | null;
  @Column('date', { nullable: true }) until: string | null;
  @Column('integer', { nullable: true }) times: number | null;
  @Column('boolean') isActive: boolean;
  @Column('text', { nullable: true }) reason: Wire['reason'];
  @Column('timestamptz', { nullable: true }) nextRunAt: Date | null;
  /** When a worker looks at it: at `nextRunAt`, or later if it could not be run then. */
  @Column('timestamptz', { nullable: true }) attemptAt: Date | null;
  /** How often the next run was put off. */
  @Column('smallint', { default: 0 }) tries: number;
  /** Bulks so far. */
  @Column('integer', { default: 0 }) runs: number;
  /** Failed runs since the last bulk. */
  @Column('integer', { default: 0 }) failures: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: Date;
}

/** When it runs, for the rules of the domain. */
export function recurrenceOf(
  row: Pick<
    RecurringSendingInput,
    'frequency' | 'weekdays' | 'day' | 'time' | 'timeZone' | 'from' | 'until'
  >,
): Recurrence {
  const { frequency, weekdays, day, time, timeZone, from, until } = row;
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return { frequency, weekdays, day, minutes: hours * 60 + minutes, timeZone, from, until };
}

/** A row with its last run. */
export type WithLastRun<Row = WithOwner<RecurringSending>> = Row & { lastRun: RecurringRun | null };

export function present(row: WithLastRun, level: Level): Wire {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    payload: row.payload,
    fallbacks: row.fallbacks,
    recipient: row.recipient,
    schedule: row.schedule,
    callbackData: row.callbackData,
    frequency: row.frequency,
    weekdays: row.weekdays,
    day: row.day,
    time: row.time,
    timeZone: row.timeZone,
    from: row.from,
    until: row.until,
    times: row.times,
    isActive: row.isActive,
    reason: row.reason,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    runs: row.runs,
    failures: row.failures,
    lastRun: row.lastRun,
    UserId: row.UserId,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
