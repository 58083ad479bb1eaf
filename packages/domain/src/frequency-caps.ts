import { isSuppressible } from './opt-outs.ts';
import type { TrafficGroup } from './traffic.ts';
import type { SendingType } from './types.ts';

/** How many advertising messages of an account one person gets within a period. */
export interface FrequencyCap {
  messages: number;
  days: number;
  /** Whether single messages count, too. */
  singles: boolean;
}

/** The group of the messages that count. */
export const CAPPED_GROUP: TrafficGroup = 'advertising';
export const MAX_CAP_MESSAGES = 50;
export const MAX_CAP_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Whether messages of this kind count, and are refused once the cap is reached: advertising. Codes, checks of numbers and the groups
 * `service` and `transactional` never do.
 */
export const countsForCap = (
  { singles }: Pick<FrequencyCap, 'singles'>,
  { type, group, isBulk }: { type: SendingType; group: TrafficGroup; isBulk: boolean },
): boolean => isSuppressible(type) && group === CAPPED_GROUP && (isBulk || singles);

/**
 * The first time whose messages count at `at`, to the millisecond: a message counts for exactly as many days.
 * `capStart({ days: 1 }, new Date('2026-11-22T10:00Z'))` is 10:00:00.001 of the day before.
 */
export const capStart = ({ days }: Pick<FrequencyCap, 'days'>, at: Date): Date =>
  new Date(at.getTime() - days * DAY_MS + 1);
