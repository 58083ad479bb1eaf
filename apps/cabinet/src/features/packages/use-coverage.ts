import type { PackageOffer } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useOperatorNames } from '../../core/operator-names.ts';

/** The types of messages that a package covers, and their networks by name. */
export function useCoverage({ types, mccmnc }: Pick<PackageOffer, 'types' | 'mccmnc'>): string {
  const { t } = useTranslation();
  const nameOf = useOperatorNames(mccmnc);
  const names = types.map((type) => t(`common:type.${type}`)).join(', ');
  if (!mccmnc.length) return names;
  return t('packages:coversNetworks', { types: names, networks: mccmnc.map(nameOf).join(', ') });
}
