/** An estimate reckons with so many recipients one by one. */
const MAX_RECIPIENTS = 50_000;
/** And with so many characters of texts that differ from one recipient to the next. */
const MAX_CHARACTERS = 500_000_000;

/** What an estimate has read. */
export interface ComputedVolume {
  recipients: number;
  /** Of texts with variables, all attempts of a chain together. */
  characters: number;
}

/**
 * Whether an estimate goes on to reckon one by one; else what is left is reckoned from what it has read.
 * `canComputeExactly({ recipients: 49_999, characters: 0 })` is true.
 */
export function canComputeExactly({ recipients, characters }: ComputedVolume): boolean {
  return recipients < MAX_RECIPIENTS && characters < MAX_CHARACTERS;
}
