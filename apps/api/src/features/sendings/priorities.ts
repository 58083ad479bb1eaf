/**
 * Stored priorities of batches; within a channel a lower number is leased first. A channel test is sent even while its channel is
 * switched off. A code is what a person waits for.
 */
export const PRIORITIES = { test: -2, code: -1, single: 0, bulk: 1 } as const;
export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

/** Stored urgencies of single messages, which order those of one channel. */
export const URGENCIES = { high: 1, normal: 0, low: -1 } as const;
export type Urgency = (typeof URGENCIES)[keyof typeof URGENCIES];
