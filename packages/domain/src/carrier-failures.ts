import { cutText } from './cut-text.ts';
import { SENDING_ERRORS, type SendingErrorCode } from './types.ts';

/** Codes with which the platform ends messages, and which decide about outcomes, fallbacks and tasks. */
const PLATFORM_CODES: ReadonlySet<string> = new Set([
  'stopped',
  'superseded',
  'insufficient_funds',
  'spend_cap_reached',
  'frequency_cap_reached',
  'no_price',
  'no_value',
  'channel_down',
] satisfies SendingErrorCode[]);

const MAX_CARRIER_CODE = 60;
const MAX_CARRIER_TEXT = 500;

/** A failure as a carrier or its driver says it. */
export interface SaidFailure {
  /** One of ours, or the carrier's own. */
  code?: string | number | null;
  /** The carrier's own code, where the driver knows ours. */
  carrierCode?: string | number | null;
  text?: string | null;
}

/** A failure as it is stored. */
export interface CarrierFailure {
  /** Null if the carrier gave none of ours. */
  code: SendingErrorCode | null;
  /** The carrier's own, in one line; null if it is ours. */
  carrierCode: string | null;
  carrierText: string | null;
}

/**
 * Our code is for everybody; what the carrier says in its own words, which may name its contracts and routes, is for managers.
 *
 *     carrierFailure({ code: 'E_17', text: 'route closed' })
 *     // { code: null, carrierCode: 'E_17', carrierText: 'route closed' }
 */
export function carrierFailure({ code, carrierCode: own, text }: SaidFailure): CarrierFailure {
  const given = lineOf(code, MAX_CARRIER_CODE);
  const ours = given === null ? null : oursOf(given);
  return {
    code: ours,
    carrierCode: lineOf(own, MAX_CARRIER_CODE) ?? (given === ours ? null : given),
    carrierText: lineOf(text, MAX_CARRIER_TEXT),
  };
}

/** A carrier that gives a code of the platform means its own account or queue. */
function oursOf(code: string): SendingErrorCode | null {
  if (PLATFORM_CODES.has(code)) return 'rejected';
  return Object.hasOwn(SENDING_ERRORS, code) ? (code as SendingErrorCode) : null;
}

/** Twice as much is read, since white space is folded. */
function lineOf(value: string | number | null | undefined, max: number): string | null {
  const line = cutText(String(value ?? ''), 2 * max)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return cutText(line, max).trim() || null;
}
