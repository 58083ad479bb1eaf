import type { Settings } from '@heliograph/contract';

/** In which installations a page exists. */
export interface Offer {
  /** Not in an installation for individuals only. */
  isForLegalPayers?: boolean;
  /** Not in the other brand. */
  isForMainBrand?: boolean;
}

export const isOffered = (
  { isForLegalPayers, isForMainBrand }: Offer,
  { advanced, frontend }: Settings,
): boolean =>
  !(isForLegalPayers && advanced.isRestricted) && !(isForMainBrand && frontend.brand !== 'main');
