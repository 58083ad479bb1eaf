import * as z from 'zod';

/** All background jobs. A job only says that something is to be processed now: its payload is an id, the channel of notifications, or nothing. */
export const JOBS = {
  /** Reads the next chunk of a task's audience. */
  'task.expand': { queue: 'expand', payload: z.object({ taskId: z.guid() }) },
  /** Cancels the messages of a stopped task that were not submitted. */
  'task.drop': { queue: 'drops', payload: z.object({ taskId: z.guid() }) },
  /** Submits due messages to the drivers. */
  'sendings.dispatch': { queue: 'dispatch', payload: z.object({}) },
  /** Queries drivers for due statuses. */
  'sendings.poll': { queue: 'reports', payload: z.object({}) },
  /** Starts due fallbacks. */
  'sendings.fallback': { queue: 'fallbacks', payload: z.object({}) },
  /** Enters the rows of started bulk operations. */
  'billings.operate': { queue: 'operations', payload: z.object({}) },
  /** Writes the files of pending reports. */
  'report.make': { queue: 'documents', payload: z.object({}) },
  /** Prices the messages of requested comparisons of tariffs. */
  'tariffs.compare': { queue: 'comparisons', payload: z.object({}) },
  /** Delivers due events to webhooks. */
  'webhooks.deliver': { queue: 'webhooks', payload: z.object({}) },
  /** Sends due notifications over Telegram and e-mail. */
  'notifications.deliver': {
    queue: 'notifications',
    payload: z.object({ channel: z.enum(['telegram', 'email']) }),
  },
  /** Erases the data of a person on request of an account. */
  'person.erase': { queue: 'erasures', payload: z.object({ erasureId: z.guid() }) },
} as const;

export type JobName = keyof typeof JOBS;
export type JobPayload<N extends JobName> = z.infer<(typeof JOBS)[N]['payload']>;
export type QueueName = (typeof JOBS)[JobName]['queue'];

/**
 * Concurrency of each queue in one worker. Two writers saturate two cores. A job runs while it finds work, so jobs of
 * different kinds have different queues.
 */
export const QUEUES: Record<QueueName, { concurrency: number }> = {
  expand: { concurrency: 1 },
  drops: { concurrency: 1 },
  dispatch: { concurrency: 2 },
  reports: { concurrency: 2 },
  fallbacks: { concurrency: 1 },
  erasures: { concurrency: 1 },
  documents: { concurrency: 2 },
  operations: { concurrency: 1 },
  comparisons: { concurrency: 1 },
  webhooks: { concurrency: 1 },
  notifications: { concurrency: 4 },
};
