/** Whether something waits for a time. What is due within a minute is about to happen. */
export const isAhead = (dueAt: string | null | undefined): dueAt is string =>
  !!dueAt && Date.parse(dueAt) > Date.now() + 60_000;
