/**
 * Stages of a batch with their integers in the database. A batch is `leased` by one worker, `submitting` while a driver may be
 * called with it, then `submitted`, or `unknown` if the carrier's response was lost. `dropped` batches are never submitted.
 */
export const BATCH_STAGES = {
  pending: 0,
  leased: 1,
  submitting: 2,
  submitted: 3,
  unknown: 4,
  dropped: 5,
} as const;
export type BatchStage = (typeof BATCH_STAGES)[keyof typeof BATCH_STAGES];
