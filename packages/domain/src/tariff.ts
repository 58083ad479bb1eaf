import type { SendingType } from './types.ts';

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
  /** Any one of the values satisfies the condition. */
  value: string | readonly string[];
}

export interface TariffRule {
  id: string;
  action: 'increase' | 'decrease';
  /** One price, or `[per call, per second]` for voice; in the currency, at most four decimals. */
  price: number | readonly number[];
  /** All must hold; a rule without any holds always. */
  conditions: readonly TariffCondition[];
  priority: number;
}

export interface Tariff {
  id: string;
  /** The type all its rules are for; null or absent when only their conditions decide. */
  source?: string | null;
  /** Its priority among the tariffs of the user. */
  priority: number;
  rules: readonly TariffRule[];
}

/** What a price depends on. */
export interface PriceQuery {
  type: SendingType;
  sender: string;
  /** E.164. */
  phone: string;
  /** The text as it will be sent, variables filled in. */
  text: string;
  /** Of the home operator; null when it is unknown, then no `mccmnc` condition holds. */
  mccmnc: string | null;
  contactLists: readonly string[];
  /** The group of the message: service, transactional or advertising; null when nothing is known of it. */
  group: string | null;
}
