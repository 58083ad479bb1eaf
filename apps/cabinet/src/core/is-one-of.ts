/** Whether the value of a parameter is one of those that it may have. */
export const isOneOf = <T extends string>(all: readonly T[], value: string | null): value is T =>
  (all as readonly (string | null)[]).includes(value);
