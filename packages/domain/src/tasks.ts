export type TaskState = 'scheduled' | 'running' | 'paused' | 'stopped' | 'completed' | 'failed';
export type TaskAction = 'pause' | 'stop' | 'cancel' | 'resume' | 'start' | 'complete' | 'fail';

// The specification, section 4: pause and stop only from running or scheduled, resume only from
// paused and into scheduled. Cancel stops a paused one, too: nobody has to send more in order to end it. A task that cannot start fails without having run.
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

/** The state an action leads to, or null when it is not allowed: `('paused', 'stop')` is null. */
export function taskTransition(from: TaskState, action: TaskAction): TaskState | null {
  return TASKS[from][action] ?? null;
}

/** Every task may be removed but a running one. */
export function isTaskRemovable(state: TaskState): boolean {
  return state !== 'running';
}

export type Moderation = 'pending' | 'approved' | 'rejected';
export type ModerationAction = 'approve' | 'reject' | 'edit' | 'rewrite';

// An edit of the comment asks for another look at what was rejected and leaves the rest as it is; a text that was
// rewritten is looked at again in any case.
const MODERATION: Record<Moderation, Partial<Record<ModerationAction, Moderation>>> = {
  pending: { approve: 'approved', reject: 'rejected', edit: 'pending', rewrite: 'pending' },
  approved: { reject: 'rejected', edit: 'approved', rewrite: 'pending' },
  rejected: { edit: 'pending', rewrite: 'pending' },
};

/**
 * The moderation of a sender name or template after an action, or null when it is not allowed.
 * Who may act (the owner edits, a manager approves and rejects) is the caller's question.
 */
export function moderationTransition(
  from: Moderation,
  action: ModerationAction,
): Moderation | null {
  return MODERATION[from][action] ?? null;
}
