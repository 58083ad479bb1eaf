import type { SendingInput, Task, TaskState } from '@heliograph/contract';
import type { Money } from '@heliograph/domain';

/** What was asked for, never changed. */
export interface TaskData extends Record<string, unknown> {
  sending: Task['data']['sending'] & Pick<SendingInput, 'type' | 'payload' | 'fallbacks'>;
  recipients: Task['data']['recipients'];
}

export type AudienceSegment = { list: string } | { phones: [from: number, to: number] };

/** A task as the engine holds it. */
export interface OpenTask {
  id: string;
  OwnerId: string;
  userId: string;
  title: string;
  state: TaskState;
  data: TaskData;
  audience: AudienceSegment[];
  lastContact: string | null;
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

/** Recipients by the outcome of their chains; a difference of them as well. */
export interface OutcomeCounts {
  completed: number;
  errored: number;
  cancelled: number;
}

/** What becomes more, or less, of a task's counters. */
export interface CounterChange extends Partial<OutcomeCounts> {
  id: string;
  unknownOutcomes?: number;
  amount?: Money;
}

/** A task that has nothing left to do. */
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
  title: string;
  data: TaskData;
  audience: AudienceSegment[];
  phones: string[];
  excludedPhones: string[];
  startsAt: Date | null;
  stretchSeconds: number;
  expected: number;
  /** Recipients passed over before the audience is read. */
  skipped: Record<string, number>;
  now: Date;
}

/** Where the reading of an audience stands. */
export interface Place {
  segment: number;
  id: string | null;
  n: number;
  position: number;
  isExpanded: boolean;
}

/** What became of a chunk's recipients: created with their charge, and passed over by reason. */
export interface ChunkCounts {
  total: number;
  amount: Money;
  skipped: Record<string, number>;
}
