import type { NumberLookup } from './number-lookups.ts';
import type { SendingErrorCode } from './types.ts';

/** What a carrier says about a message that it accepted. */
export interface CarrierReport {
  reference: string;
  status: 'processing' | 'sent' | 'delivered' | 'seen' | 'failed';
  code?: SendingErrorCode;
  /** Of a failure, in the carrier's own words: for managers. */
  carrierCode?: string | number;
  text?: string;
  /** Additional information of the carrier: `ported`, `roaming`. */
  note?: string;
  /** Of a look-up: what it says of the number. */
  lookup?: NumberLookup;
  /** Of a call that was delivered and has ended: for how long it was answered, in started seconds; 0 if it was not. */
  seconds?: number;
  /** Time of the event, as reported. */
  at: Date;
  /** Time at which the report is sent; later than `at` for reports out of order. */
  due: Date;
}

/** What the recipient answered to a message. */
export interface CarrierReply {
  reference: string;
  text: string;
  at: Date;
}
