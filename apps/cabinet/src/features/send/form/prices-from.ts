import { isSendingType, possiblePrices, type SendingType } from '@heliograph/domain';
import type { Tariff } from '@heliograph/contract';

/** The tariffs that an account holds, as its messages are billed by them. */
export function billedBy(tariffs: readonly Tariff[]) {
  return tariffs
    .flatMap((tariff) => tariff.usersTariffs)
    .map(({ source, finalRules: rules }) => ({
      // A source that is no type leaves it to the conditions.
      source: isSendingType(source) ? source : null,
      rules,
    }));
}

/** Whether the tariff has the price of an instance's month, which its messages are part of. */
export const isMonthly = (type: SendingType): boolean => type === 'wapi';

/** The lowest price of one message; null while it is unknown, and for calls, which also cost by the second. */
export function lowestOf(tariffs: ReturnType<typeof billedBy>, type: SendingType): number | null {
  if (isMonthly(type)) return 0;
  return (type !== 'voice' ? priceFrom(tariffs, type)?.[0] : null) ?? null;
}

/**
 * The lowest price of a type, `[per message]`, `[per month]` where it is monthly, or of a call `[per call, per second]`. It is empty where only rules for
 * any type can say it, and null where none can.
 */
export function priceFrom(
  tariffs: ReturnType<typeof billedBy>,
  type: SendingType,
): readonly number[] | null {
  const possible = possiblePrices(tariffs, type);
  const [lowest] = possible
    .filter(({ isTypeSpecific }) => isTypeSpecific)
    .map(({ price }) => price)
    .toSorted((a, b) => a[0]! - b[0]! || (a[1] ?? 0) - (b[1] ?? 0));
  if (!lowest) return possible.length ? [] : null;
  return type === 'voice' ? lowest : lowest.slice(0, 1);
}
