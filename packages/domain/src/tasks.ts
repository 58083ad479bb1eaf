export type TaskState = 'scheduled' | 'running' | 'paused' | 'stopped' | 'completed' | 'failed';
export type TaskAction = 'pause' | 'stop' | 'cancel' | 'resume' | 'start' | 'complete' | 'fail';

// Source: the specification, section 4. Pause and stop are allowed from running and scheduled, resume from paused to scheduled.
// Cancel also stops a paused task, which need not be resumed for that. A task that cannot start changes from scheduled to failed.
const TASKS: Record<TaskState, Partial<Record<TaskAction, TaskState>>> = {
  scheduled: {
    start: 'running',
    pause: 'paused',
    stop: 'stopped',
    cancel: 'stopped',
    fail: 'failed',
  },
  running: {
    pause: 'paused',
    stop: 'stopped',
    cancel: 'stopped',
    complete: 'completed',
    fail: 'failed',
  },
  paused: { resume: 'scheduled', cancel: 'stopped' },
  stopped: {},
  completed: {},
  failed: {},
};

/** The state after an action; null if the action is not allowed: `('paused', 'stop')` is null. */
export function taskTransition(from: TaskState, action: TaskAction): TaskState | null {
  return TASKS[from][action] ?? null;
}

export type TaskType = 'sendings:bulk' | 'payments:recurrent' | 'billings:operations';

/** Whether a user can pause, resume and stop tasks of a type. The charge of a recurrent payment is a single call to the acquirer. */
export function isTaskSteerable(type: TaskType): boolean {
  return type !== 'payments:recurrent';
}

/** Whether a task can be removed: in every state except running. */
export function isTaskRemovable(state: TaskState): boolean {
  return state !== 'running';
}

export type Moderation = 'pending' | 'approved' | 'rejected';
export type ModerationAction = 'approve' | 'reject' | 'edit' | 'rewrite';

// Editing the comment resubmits a rejected object and leaves other states unchanged. Changing the text always requires new moderation.
const MODERATION: Record<Moderation, Partial<Record<ModerationAction, Moderation>>> = {
  pending: { approve: 'approved', reject: 'rejected', edit: 'pending', rewrite: 'pending' },
  approved: { reject: 'rejected', edit: 'approved', rewrite: 'pending' },
  rejected: { edit: 'pending', rewrite: 'pending' },
};

/**
 * The moderation state of a sender name or template after an action; null if the action is not allowed. The caller checks
 * permissions: owners edit, managers approve and reject.
 */
export function moderationTransition(
  from: Moderation,
  action: ModerationAction,
): Moderation | null {
  return MODERATION[from][action] ?? null;
}

/** Why a bulk reaches nobody, by the numbers of its skipped recipients: `emptyReason({ duplicate: 2, noValue: 1 })` is 'no_value'. */
export function emptyReason(
  skipped: Readonly<Record<string, number>>,
): 'no_price' | 'no_value' | 'too_long' | 'no_recipients' {
  if (skipped.noPrice) return 'no_price';
  if (skipped.tooLong) return 'too_long';
  return skipped.noValue ? 'no_value' : 'no_recipients';
}
