import { basisGenitive, fullNameGenitive, positionGenitive } from '@heliograph/domain';

const HELPERS = { fullName: fullNameGenitive, position: positionGenitive, basis: basisGenitive };
export type SignerField = keyof typeof HELPERS;
interface Cases {
  nominative: string;
  genitive: string;
}

/** A new nominative proposes its genitive, unless the person has written another one. */
export function proposeGenitive(field: SignerField, former: Cases, nominative: string): Cases {
  const propose = HELPERS[field];
  const isOwn = former.genitive !== '' && former.genitive !== propose(former.nominative);
  return { nominative, genitive: isOwn ? former.genitive : propose(nominative) };
}
