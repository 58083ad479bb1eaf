import { PRIORITIES } from './priorities.ts';

/** SQL: whether the messages of a batch that is not submitted can be cancelled. Those of bulks and codes cannot, nor what a carrier may have. */
export const cancellableSql = (batch: string): string =>
  `${batch}.task_id is null and ${batch}.priority = ${PRIORITIES.single} and ${batch}.unknown_outcomes = 0`;
