import type { SendingErrorCode } from '@heliograph/domain';

/**
 * What a code of Meta means: a reason of ours, the message is refused; `down`: nothing leaves over the number for so long; `later`: this
 * message waits, others need not; `unknown`: Meta does not say whether it was taken.
 */
export type Meaning = SendingErrorCode | 'later' | 'unknown' | { down: number };

/** The number may send again soon. */
const SOON = { down: 5_000 };
/** Limits by the hour, and those of a number that people report as spam. */
const LATER = { down: 300_000 };
/** The account or the settings must be mended first. */
const MENDED = { down: 60_000 };

/** WhatsApp Business Platform, "Error codes", and Graph API, "Handle errors". */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  0: MENDED,
  1: 'unknown',
  2: SOON,
  3: MENDED,
  4: LATER,
  10: MENDED,
  33: MENDED,
  100: 'invalid_payload',
  102: MENDED,
  190: MENDED,
  368: MENDED,
  80007: LATER,
  130429: SOON,
  130472: 'undeliverable',
  130497: 'no_route',
  131000: 'unknown',
  131005: MENDED,
  131008: 'invalid_payload',
  131009: 'invalid_payload',
  131016: SOON,
  131021: 'invalid_recipient',
  131026: 'not_a_user',
  131030: 'invalid_recipient',
  131031: MENDED,
  131037: MENDED,
  131042: MENDED,
  131045: MENDED,
  131047: 'outside_window',
  131048: LATER,
  131049: 'blocked',
  131050: 'unsubscribed',
  131051: 'unsupported',
  131052: 'invalid_payload',
  131053: 'invalid_payload',
  131055: MENDED,
  131056: 'later',
  131057: MENDED,
  132000: 'template_mismatch',
  132001: 'template_mismatch',
  132005: 'too_long',
  132007: 'content_rejected',
  132012: 'template_mismatch',
  132015: 'template_mismatch',
  132016: 'template_mismatch',
  132068: 'template_mismatch',
  132069: 'template_mismatch',
  133004: SOON,
  133010: MENDED,
  134011: MENDED,
};
/** No object of this id, or the token may not use it: that of the number, as no other is named. */
const NO_OBJECT = 33;

export interface MetaError {
  code: number;
  subcode?: number;
}

/** What an error in the answer to a submit means; undefined for a code that is not known. */
export function meaningOf({ code, subcode }: MetaError): Meaning | undefined {
  if (code === 100 && subcode === NO_OBJECT) return MENDED;
  if (Object.hasOwn(MEANINGS, code)) return MEANINGS[code];
  // Permissions of the token, templates, and the registration of the number.
  if (code >= 200 && code < 300) return MENDED;
  if (code >= 132_000 && code < 133_000) return 'template_mismatch';
  if (code >= 133_000 && code < 134_000) return MENDED;
  return undefined;
}

/** Limits of a rate: as the reason of a failure that is reported later. */
const RATES: ReadonlySet<number> = new Set([4, 80007, 130429, 131048, 131056]);

/** The reason of a failure that Meta reports of a message it has taken before. */
export function reasonOf(error: MetaError): SendingErrorCode {
  if (RATES.has(error.code)) return 'throttled';
  const meaning = meaningOf(error);
  if (typeof meaning === 'object') return 'rejected';
  return meaning === undefined || meaning === 'later' ? 'undeliverable' : meaning;
}

/** The template is not there any more as it was read. */
export const isOfTemplate = (code: number): boolean => code >= 132_000 && code < 133_000;

/** Why a message does not go; `later`: it may go after a while. */
export interface Refused {
  code: SendingErrorCode | 'later';
  carrierCode?: number;
  text?: string;
}
