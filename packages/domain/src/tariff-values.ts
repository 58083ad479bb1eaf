import { TRAFFIC_GROUPS } from './traffic.ts';
import type { TariffTag } from './tariff.ts';
import { SENDING_TYPES } from './types.ts';

const MAX_LENGTH = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);
const matches = (pattern: RegExp) => (value: string) => pattern.test(value);

const RULES: Record<TariffTag, (value: string) => boolean> = {
  text: () => true,
  keywords: (value) => value.trim() !== '',
  sender: () => true,
  recipient: matches(/^\+\d{1,15}$/),
  type: isOneOf(SENDING_TYPES),
  group: isOneOf(TRAFFIC_GROUPS),
  contactList: matches(UUID),
  mccmnc: matches(/^(\d{5,6}|\d{3}\*)$/),
};

/**
 * Whether a condition of a tariff can be met by some message: a condition that never is would leave a message without its price.
 * `isTariffValue('mccmnc', '401*')` is true, `isTariffValue('type', 'fax')` is false.
 */
export function isTariffValue(tag: TariffTag, value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH && RULES[tag](value);
}
