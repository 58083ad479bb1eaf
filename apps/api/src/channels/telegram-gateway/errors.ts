import type { SendingErrorCode } from '@heliograph/domain';

/** What an error means: a reason of ours, the code is refused; `down`: nothing leaves for so many milliseconds. */
export type Meaning = SendingErrorCode | { down: number; isAsked?: boolean };

/** The account or the settings must be mended first. */
const MENDED = { down: 60_000 };
const SOON = { down: 5_000 };
const MAX_WAIT_SECONDS = 3_600;

/** Telegram names errors without a full list: by their beginnings, the first that fits. */
const MEANINGS: readonly (readonly [string, Meaning])[] = [
  ['ACCESS_TOKEN_', MENDED],
  ['BALANCE_NOT_ENOUGH', MENDED],
  ['SENDER_', MENDED],
  ['CALLBACK_URL_', MENDED],
  ['FLOOD_WAIT', SOON],
  ['PHONE_NUMBER_INVALID', 'invalid_recipient'],
  ['PHONE_NUMBER_NOT_', 'not_a_user'],
  ['CODE_', 'invalid_payload'],
];

const WAIT = /^FLOOD_WAIT_(\d{1,9})$/;

/** Undefined for a name that is not known. `meaningOf('FLOOD_WAIT_5')` is `{ down: 5000, isAsked: true }`. */
export function meaningOf(name: string): Meaning | undefined {
  const [, seconds] = WAIT.exec(name) ?? [];
  if (seconds) return { down: Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000, isAsked: true };
  return MEANINGS.find(([beginning]) => name.startsWith(beginning))?.[1];
}
