import * as z from 'zod';

/** All background work: the table of contents. Payloads are ids; a job only says "look at this row now". */
export const JOBS = {
  /** Reads the next chunk of a task's audience. */
  'task.expand': { queue: 'expand', payload: z.object({ taskId: z.guid() }) },
  /** Fails what a stopped task had not handed over. */
  'task.drop': { queue: 'drops', payload: z.object({ taskId: z.guid() }) },
  /** Hands over what is due. */
  'sendings.dispatch': { queue: 'dispatch', payload: z.object({}) },
  /** Asks drivers for statuses that are due. */
  'sendings.poll': { queue: 'reports', payload: z.object({}) },
  /** Starts the fallbacks that are due. */
  'sendings.fallback': { queue: 'fallbacks', payload: z.object({}) },
  /** Forgets a person whom an account was asked to forget. */
  'person.erase': { queue: 'erasures', payload: z.object({ erasureId: z.guid() }) },
} as const;

export type JobName = keyof typeof JOBS;
export type JobPayload<N extends JobName> = z.infer<(typeof JOBS)[N]['payload']>;
export type QueueName = (typeof JOBS)[JobName]['queue'];

/**
 * How many jobs of a queue one worker runs at a time. Two writers saturate two cores. A job goes on while it finds work,
 * so what shares a queue waits until the other has none.
 */
export const QUEUES: Record<QueueName, { concurrency: number }> = {
  expand: { concurrency: 1 },
  drops: { concurrency: 1 },
  dispatch: { concurrency: 2 },
  reports: { concurrency: 2 },
  fallbacks: { concurrency: 1 },
  erasures: { concurrency: 1 },
};
