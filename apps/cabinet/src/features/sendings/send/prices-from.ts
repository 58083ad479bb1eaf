import { isSendingType, type SendingType } from '@heliograph/domain';
import type { Tariff, TariffRule } from '@heliograph/contract';

const list = (value: string | string[]) => (Array.isArray(value) ? value : [value]);
const priceList = ({ price }: TariffRule) => (Array.isArray(price) ? price : [price]);

/** The rules that can be the price of a message of a type, in any of the account's tariffs. */
function rulesFor(tariffs: readonly Tariff[], type: SendingType): TariffRule[] {
  return tariffs
    .flatMap((tariff) => tariff.usersTariffs)
    .filter(({ source }) => !isSendingType(source) || source === type)
    .flatMap(({ source, finalRules }) =>
      finalRules.filter(({ action, conditions }) => {
        const named = conditions.filter(({ tag }) => tag === 'type');
        const isNamed = named.every(({ value }) => list(value).includes(type));
        return action === 'increase' && isNamed && (source === type || named.length > 0);
      }),
    );
}

/** The lowest price of a type, `[per message]` or of a call `[per call, per second]`; null when the tariffs name none. */
export function priceFrom(tariffs: readonly Tariff[], type: SendingType): number[] | null {
  const prices = rulesFor(tariffs, type).map(priceList);
  const [lowest] = prices.toSorted((a, b) => a[0]! - b[0]! || (a[1] ?? 0) - (b[1] ?? 0));
  return lowest ? (type === 'voice' ? lowest : lowest.slice(0, 1)) : null;
}

/** Recordings may be attached where the tariff counts seconds. Specification, section 5. */
export const countsSeconds = (tariffs: readonly Tariff[]): boolean =>
  rulesFor(tariffs, 'voice').some((rule) => (priceList(rule)[1] ?? 0) > 0);
