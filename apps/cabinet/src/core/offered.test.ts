import type { Settings } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { isOffered, type Offer } from './offered.ts';

const settings = (isRestricted: boolean, brand: 'main' | 'alternate') =>
  ({ advanced: { isRestricted }, frontend: { brand } }) as Settings;

it.each<[Offer, boolean[]]>([
  [{}, [true, true, true, true]],
  [{ isForLegalPayers: true }, [true, true, false, false]],
  [{ isForMainBrand: true }, [true, false, true, false]],
  [{ isForLegalPayers: true, isForMainBrand: true }, [true, false, false, false]],
])('%j is offered where both the brand and the payers fit', (offer, expected) => {
  const all = [
    settings(false, 'main'),
    settings(false, 'alternate'),
    settings(true, 'main'),
    settings(true, 'alternate'),
  ];
  expect(all.map((one) => isOffered(offer, one))).toEqual(expected);
});
