import type { Level } from '@heliograph/contract';

/** A filter as data: the filter bar draws it as a control and as a chip. */
export type FilterField =
  | { kind: 'many'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'one'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  /** Set by a link (the messages of one task); it can only be removed. */
  | { kind: 'given'; name: string; label: string }
  /** A second period, set by a link. */
  | { kind: 'givenPeriod'; name: string; label: string }
  /** The account, by `OwnerId` or the named field; shown to users who see rows of other accounts. */
  | { kind: 'owner'; label: string; name?: string; level?: Level }
  | { kind: 'search'; label: string; placeholder?: string }
  | { kind: 'period'; label: string; maxDays?: number };

/** The name of the filter that an owner field sets. */
export function ownerField({ name = 'OwnerId' }: { name?: string }): string {
  return name;
}

/** A filter by any of several values, with their texts. */
export const manyField = <T extends string>(
  name: string,
  label: string,
  values: readonly T[],
  textOf: (value: T) => string,
): FilterField => ({
  kind: 'many',
  name,
  label,
  options: values.map((value) => ({ value, label: textOf(value) })),
});
