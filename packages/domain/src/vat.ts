import type { Money } from './money.ts';

/**
 * How a company of Russia is taxed. `general` charges the general rate of VAT; `simplified` none; `simplified5` and `simplified7` are
 * the simplified system with a reduced rate.
 */
export const TAX_SYSTEMS = ['general', 'simplified', 'simplified5', 'simplified7'] as const;
export type TaxSystem = (typeof TAX_SYSTEMS)[number];

/** A rate in percent from a day, `2026-01-01`, to the next one. */
interface DatedRate {
  from: string;
  percent: number;
}

/** Source: the Tax Code of Russia, articles 164 and 145, with the changes that take effect in 2025 and 2026. */
const RATES: Record<TaxSystem, readonly DatedRate[]> = {
  general: [
    { from: '2019-01-01', percent: 20 },
    { from: '2026-01-01', percent: 22 },
  ],
  simplified: [],
  simplified5: [{ from: '2025-01-01', percent: 5 }],
  simplified7: [{ from: '2025-01-01', percent: 7 }],
};

/** Whether prices of a company contain VAT. */
export const hasVat = (system: TaxSystem): boolean => RATES[system].length > 0;

/** The rate in percent on a day, or null without VAT: `vatRate('general', '2026-01-01')` is 22. */
export function vatRate(system: TaxSystem, day: string): number | null {
  return RATES[system].findLast(({ from }) => from <= day)?.percent ?? null;
}

/** Money is stored with four decimals: a kopeck is 100 of its units. */
const KOPECK = 100n;

/** Rounds half up to kopecks. */
export const toKopecks = (amount: Money): bigint =>
  (amount >= 0n ? amount + KOPECK / 2n : amount - KOPECK / 2n) / KOPECK;

/**
 * The VAT contained in an amount, rounded half up to kopecks: of 122 at 22 % it is 22. `percent` is an integer of 0 to 99.
 */
export function vatContained(amount: Money, percent: number): Money {
  const [rate, base] = [BigInt(percent), BigInt(100 + percent)];
  const kopecks = (toKopecks(amount) * rate * 2n + base) / (base * 2n);
  return kopecks * KOPECK;
}
