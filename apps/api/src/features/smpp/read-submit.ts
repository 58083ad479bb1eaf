import { MAX_VALID_SECONDS, MIN_VALID_SECONDS } from '@heliograph/domain';
import {
  type Concatenation,
  type Joinable,
  type PduOf,
  PduError,
  STATUS,
  UDHI,
  contentOf,
  parseTime,
  tlvOf,
} from '@heliograph/smpp';
import type { SmppAddress } from '../sendings/sendings.service.ts';

export type Submit = PduOf<'submit_sm'> | PduOf<'data_sm'> | PduOf<'submit_multi'>;

/** What a submit asks for. */
export interface ReadSubmit {
  source: SmppAddress;
  destinations: SmppAddress[];
  content: Joinable;
  /** The place of a part in a longer text. */
  part: Concatenation | undefined;
  /** The bits of `registered_delivery` for the outcome. */
  receipt: 0 | 1 | 2;
  /** When it is sent; undefined for at once. */
  at: Date | undefined;
  /** Among the single messages of its channel; absent: normal. */
  priority: 'high' | undefined;
  /** For how many seconds from then it is valid. */
  validSeconds: number | undefined;
}

/** Bits of `esm_class`: the mode, and the kind of message, of which submits have the default only. */
const MODE = 0x03;
const KIND = 0x3c;
const FORWARD = 0x02;
const MAX_TON = 6;
const NPIS = [0, 1, 3, 4, 6, 8, 9, 10, 14, 18];
const MAX_PRIORITY = 3;
/** Of ANSI-136: 2 is urgent, 3 very urgent. */
const URGENT = 2;
/** Octets of a part of a longer text: those of a `short_message`, whose septets may have been packed. */
const MAX_PART = Math.floor((254 * 8) / 7);
/** A time that has just passed is now. */
const GRACE_MS = 60_000;

function refuse(status: number): never {
  throw new PduError('The submit is refused', status);
}

/** Throws a PduError with the status of the answer for what is not allowed or not offered. */
export function readSubmit(pdu: Submit, now: Date): ReadSubmit {
  const { esmClass, registeredDelivery } = pdu;
  if (esmClass & KIND || (esmClass & MODE) === FORWARD) refuse(STATUS.ESME_RINVESMCLASS);
  const receipt = registeredDelivery & 0x03;
  if (receipt === 3) refuse(STATUS.ESME_RINVREGDLVFLG);
  return {
    source: sourceOf(pdu),
    destinations: destinationsOf(pdu),
    ...textOf(pdu),
    receipt: receipt as 0 | 1 | 2,
    ...timesOf(pdu, now),
  };
}

function sourceOf({
  sourceAddrTon: ton,
  sourceAddrNpi: npi,
  sourceAddr: address,
}: Submit): SmppAddress {
  if (ton > MAX_TON) refuse(STATUS.ESME_RINVSRCTON);
  if (!NPIS.includes(npi)) refuse(STATUS.ESME_RINVSRCNPI);
  if (!address.trim()) refuse(STATUS.ESME_RINVSRCADR);
  return { ton, npi, address };
}

function destinationsOf(pdu: Submit): SmppAddress[] {
  if (pdu.command !== 'submit_multi') {
    const { destAddrTon, destAddrNpi, destinationAddr } = pdu;
    return [destinationOf({ ton: destAddrTon, npi: destAddrNpi, address: destinationAddr })];
  }
  if (pdu.destinations.length === 0) refuse(STATUS.ESME_RINVNUMDESTS);
  return pdu.destinations.map((one) => {
    // There are no distribution lists.
    if (one.flag === 2) refuse(STATUS.ESME_RINVDLNAME);
    return { ton: one.ton, npi: one.npi, address: one.address };
  });
}

/** What no country would take for a number is refused at once. */
function destinationOf(given: SmppAddress): SmppAddress {
  if (given.ton > MAX_TON) refuse(STATUS.ESME_RINVDSTTON);
  if (!NPIS.includes(given.npi)) refuse(STATUS.ESME_RINVDSTNPI);
  if (!/^\+?\d{3,20}$/.test(given.address)) refuse(STATUS.ESME_RINVDSTADR);
  return given;
}

/** As a number is written in a call of the API. An international one has its plus. */
export const recipientOf = ({ ton, address }: SmppAddress): string =>
  ton === 1 && !address.startsWith('+') ? `+${address}` : address;

function textOf(pdu: Submit): Pick<ReadSubmit, 'content' | 'part'> {
  const short = 'shortMessage' in pdu ? pdu.shortMessage : Buffer.alloc(0);
  const payload = tlvOf(pdu.tlvs, 'messagePayload');
  if (payload && short.length > 0) refuse(STATUS.ESME_RINVMSGLEN);
  const whole = payload ?? short;
  if (pdu.esmClass & UDHI && (whole.length < 3 || whole[0]! + 1 > whole.length))
    refuse(STATUS.ESME_RINVESMCLASS);
  const { concatenation, elements, octets, alphabet } = contentOf(pdu, 'gsm');
  // Ports, pictures and alphabets of other languages: what is no plain text is not sent.
  if (elements.length) refuse(STATUS.ESME_RINVESMCLASS);
  if (alphabet === 'binary') refuse(STATUS.ESME_RSUBMITFAIL);
  if (octets.length === 0 || (concatenation && octets.length > MAX_PART))
    refuse(STATUS.ESME_RINVMSGLEN);
  return { content: { octets, alphabet }, part: concatenation };
}

function timesOf(pdu: Submit, now: Date): Pick<ReadSubmit, 'at' | 'validSeconds' | 'priority'> {
  if (pdu.command === 'data_sm') {
    const seconds = tlvOf(pdu.tlvs, 'qosTimeToLive');
    const validSeconds = seconds === undefined ? undefined : bounded(seconds);
    return { at: undefined, validSeconds, priority: undefined };
  }
  if (pdu.priorityFlag > MAX_PRIORITY) refuse(STATUS.ESME_RINVPRTFLG);
  if (pdu.replaceIfPresentFlag !== 0) refuse(STATUS.ESME_RINVREPFLAG);
  if (pdu.smDefaultMsgId !== 0) refuse(STATUS.ESME_RINVDFTMSGID);
  const { scheduleDeliveryTime, validityPeriod } = pdu;
  const at = scheduleDeliveryTime ? parseTime(scheduleDeliveryTime, now) : undefined;
  if (scheduleDeliveryTime && (!at || at.getTime() < now.getTime() - GRACE_MS))
    refuse(STATUS.ESME_RINVSCHED);
  const end = validityPeriod ? parseTime(validityPeriod, now) : undefined;
  const start = at && at > now ? at : now;
  if (validityPeriod && (!end || end <= start)) refuse(STATUS.ESME_RINVEXPIRY);
  return {
    at: at && at > now ? at : undefined,
    priority: pdu.priorityFlag >= URGENT ? 'high' : undefined,
    validSeconds: end && bounded(Math.round((end.getTime() - start.getTime()) / 1000)),
  };
}

const bounded = (seconds: number): number =>
  Math.min(Math.max(seconds, MIN_VALID_SECONDS), MAX_VALID_SECONDS);
