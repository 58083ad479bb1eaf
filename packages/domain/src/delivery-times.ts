/** Seconds from the submit until the delivery, by which deliveries are counted: each slot is below its bound, the last one has none. */
export const DELIVERY_BOUNDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 21_600] as const;

/**
 * Seconds within which a share of the deliveries arrived, from their counts by slot: within a slot they are taken to be spread evenly,
 * and in the last one to have taken its beginning. Null without deliveries.
 */
export function deliverySeconds(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!total) return null;
  let left = share * total;
  for (const [i, count] of counts.entries()) {
    const from = DELIVERY_BOUNDS[i - 1] ?? 0;
    const until = DELIVERY_BOUNDS[i] ?? from;
    if (count && left <= count) return from + ((until - from) * left) / count;
    left -= count;
  }
  return DELIVERY_BOUNDS.at(-1)!;
}
