/** Stored priorities of batches; a lower number is leased first. A channel test is sent even while its channel is switched off. */
export const PRIORITIES = { test: -1, single: 0, bulk: 1 } as const;
export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];
