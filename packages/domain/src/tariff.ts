import type { SendingType } from './types.ts';
import type { VolumeStep } from './volume-steps.ts';

export type TariffTag =
  | 'text'
  | 'recipient'
  | 'type'
  | 'sender'
  | 'keywords'
  | 'contactList'
  | 'group'
  | 'mccmnc';

export interface TariffCondition {
  tag: TariffTag;
  /** The condition is met by any of the values. */
  value: string | readonly string[];
}

/**
 * How a call is charged by its length: for `first` seconds as soon as it is answered, then for each `interval` that has begun. Operators
 * write 60/1 for `{ first: 60, interval: 1 }`.
 */
export interface CallIntervals {
  first: number;
  interval: number;
}

export interface TariffRule {
  id: string;
  action: 'increase' | 'decrease';
  /** One price, or `[per call, per second]` for voice; in the currency of the account, with at most four decimals. */
  price: number | readonly number[];
  /** All must be met. A rule without conditions always applies. */
  conditions: readonly TariffCondition[];
  priority: number;
  /** Of an `increase` for calls: they are charged by their length. Absent: by the length of the text or recording. */
  byLength?: CallIntervals;
}

export interface Tariff {
  id: string;
  /** The type of all its rules; null or absent if the tariff is not limited to a type. */
  source?: string | null;
  /** Of its rules. */
  version?: number;
  /** Priority among the tariffs of the account; higher values are evaluated first. */
  priority: number;
  rules: readonly TariffRule[];
  /** Rising. */
  steps?: readonly VolumeStep[];
}

/** The properties of a message that determine its price. */
export interface PriceQuery {
  type: SendingType;
  sender: string;
  /** E.164. */
  phone: string;
  /** The text as sent, with variables replaced. */
  text: string;
  /** Network code of the home operator. Null if unknown; then no `mccmnc` condition is met. */
  mccmnc: string | null;
  contactLists: readonly string[];
  /** Traffic group: service, transactional or advertising; null if unknown. */
  group: string | null;
}
