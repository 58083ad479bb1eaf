/** A filter as data; the bar draws it as a control and as a chip. */
export type FilterField =
  | { kind: 'many'; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  /** Comes with a link (the messages of one task) and can only be taken away. */
  | { kind: 'given'; name: string; label: string }
  /** Whose rows, by `OwnerId`; seen by those who see other people's rows. */
  | { kind: 'owner'; label: string }
  | { kind: 'search'; label: string; placeholder?: string }
  | { kind: 'period'; label: string; maxDays?: number };
