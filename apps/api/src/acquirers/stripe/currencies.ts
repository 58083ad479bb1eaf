import type { Money } from '@heliograph/domain';
import { CENT } from '../amounts.ts';

// Source: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal currencies" and "Special cases".
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Counted in hundredths, of which only whole units are accepted. */
const WHOLE_IN_HUNDREDTHS = new Set(['ISK', 'UGX']);
const UNIT: Money = 10_000n;

/** How many decimals the integer amounts of a currency have at Stripe. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** The third decimal of the currencies that have one must be zero. */
export const smallestUnit = (currency: string): Money =>
  WITHOUT_DECIMALS.has(currency) || WHOLE_IN_HUNDREDTHS.has(currency) ? UNIT : CENT;
