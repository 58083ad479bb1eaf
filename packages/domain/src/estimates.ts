/** Maximum number of recipients that an estimate computes individually. */
export const MAX_ESTIMATED = 50_000;
/** Maximum number of characters of individual texts. */
const MAX_CHARACTERS = 500_000_000;

/** The amount of data that an estimate has processed. */
export interface ComputedVolume {
  recipients: number;
  /** Characters of texts with variables, in all attempts of the chains. */
  characters: number;
}

/**
 * Whether an estimate continues to compute individual recipients. Otherwise it extrapolates from those computed so far.
 * `canComputeExactly({ recipients: 49_999, characters: 0 })` is true.
 */
export function canComputeExactly({ recipients, characters }: ComputedVolume): boolean {
  return recipients < MAX_ESTIMATED && characters < MAX_CHARACTERS;
}
