import type {
  Bulk,
  ResendAudience,
  SendingInput,
  Task,
  TaskRecipients,
  TaskState,
  TaskType,
  TaskVariants,
} from '@heliograph/contract';
import type { Money } from '@heliograph/domain';
import type { ResendTo } from './resend-recipients.store.ts';

/** The type of tasks that the engine sends; other features do the work of the others. */
export const BULK = 'sendings:bulk';

/** The request. Never changes once the task has started. */
export interface TaskData extends Record<string, unknown> {
  sending: Bulk['data']['sending'] &
    Pick<SendingInput, 'type' | 'payload' | 'fallbacks' | 'schedule'>;
  recipients: TaskRecipients;
}

/** A task other than a bulk. */
export interface NewOtherTask {
  id: string;
  OwnerId: string;
  userId: string;
  type: Exclude<TaskType, typeof BULK>;
  title: string;
  data: Pick<Task['data'], 'recurrent' | 'operations'>;
  /** Payments or rows. */
  expected: number;
}

/** A part of a bulk's audience: a contact list, those of a list that belong to a segment (by its id), or a range of typed phones. */
export type AudienceSegment =
  | { list: string; members?: string }
  | { phones: [from: number, to: number] };

/** The part of an audience whose addresses have a slot not below `from` and below `to`, by a hash with the seed. */
export type AudienceSlice = TaskVariants['slice'];

/** A task as the engine needs it. */
export interface OpenTask {
  id: string;
  OwnerId: string;
  userId: string;
  /** The API token that created it. */
  tokenId: string | null;
  type: TaskType;
  title: string;
  state: TaskState;
  data: TaskData;
  audience: AudienceSegment[];
  lastContact: string | null;
  /** The bulk whose recipients it is sent to, and which; null: those who failed. */
  originId: string | null;
  originAudience: Exclude<ResendAudience, 'failed'> | null;
  expected: number;
  stretchSeconds: number;
  segment: number;
  cursorId: string | null;
  cursorN: number;
  position: number;
  isExpanded: boolean;
  startedAt: Date | null;
  startsAt: Date | null;
}

export type TaskKey = Pick<OpenTask, 'id' | 'OwnerId'>;

/** Recipients by the outcome of their chains, or differences of these counts. */
export interface OutcomeCounts {
  completed: number;
  errored: number;
  cancelled: number;
}

/** Differences of a task's counters. */
export interface CounterChange extends Partial<OutcomeCounts> {
  id: string;
  unknownOutcomes?: number;
  amount?: Money;
}

/** A task without open chains. */
export interface FinishedTask {
  id: string;
  OwnerId: string;
  title: string;
  total: number;
  completed: number;
  skipped: Record<string, number>;
}

export interface NewTask {
  id: string;
  OwnerId: string;
  userId: string;
  tokenId: string | null;
  title: string;
  data: TaskData;
  audience: AudienceSegment[];
  phones: string[];
  /** Whose recipients are stored in place of `audience` and `phones`. */
  resendTo: ResendTo | null;
  excludedPhones: string[];
  startsAt: Date | null;
  stretchSeconds: number;
  expected: number;
  /** Recipients that the account is told of; null for a part of a bulk that is told of with another part. */
  told: number | null;
  /** Recipients skipped before the expansion. */
  skipped: Record<string, number>;
  now: Date;
}

/** Position in the audience up to which the task is expanded. */
export interface ExpansionPosition {
  segment: number;
  id: string | null;
  n: number;
  position: number;
  isExpanded: boolean;
}

/** Counts of one chunk: created sendings with their charge, and skipped recipients by reason. */
export interface ChunkCounts {
  total: number;
  amount: Money;
  skipped: Record<string, number>;
}
