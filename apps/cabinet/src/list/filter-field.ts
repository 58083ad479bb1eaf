import type { Level } from '@heliograph/contract';

/** A filter as data; the bar draws it as a control and as a chip. */
export type FilterField =
  | { kind: 'many'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'one'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  /** Comes with a link (the messages of one task) and can only be taken away. */
  | { kind: 'given'; name: string; label: string }
  /** The same of a second period. */
  | { kind: 'givenPeriod'; name: string; label: string }
  /** Whose rows, by `OwnerId` or the named field; seen by those who see other people's rows. */
  | { kind: 'owner'; label: string; name?: string; level?: Level }
  | { kind: 'search'; label: string; placeholder?: string }
  | { kind: 'period'; label: string; maxDays?: number };

/** The filter that a choice of a person sets. */
export function ownerField({ name = 'OwnerId' }: { name?: string }): string {
  return name;
}
