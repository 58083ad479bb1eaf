/** A `placeholderData`: rows that are named by what they are grouped by stand until others of the same group are there. */
export const rowsBy =
  (by: string) =>
  <T>(rows: T | undefined, former: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    (former?.queryKey[2] as { by?: string } | undefined)?.by === by ? rows : undefined;
