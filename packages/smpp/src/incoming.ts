import {
  type Alphabet,
  type ReceivedAlphabet,
  alphabetOf,
  decodeText,
  unpack,
  withTables,
} from './alphabets.ts';
import type { PduOf } from './pdu.ts';
import { UDHI } from './texts.ts';
import { type Tlv, tlvOf } from './tlvs.ts';

/** A message or receipt that a carrier delivers. */
export type Delivered = PduOf<'deliver_sm'> | PduOf<'data_sm'>;

/** The place of a message in a longer text. */
export interface Concatenation {
  reference: number;
  total: number;
  /** From 1 on. */
  index: number;
}

export interface Content {
  /** Without the header, unpacked. */
  octets: Buffer;
  alphabet: ReceivedAlphabet;
  concatenation?: Concatenation;
  /** Elements of its header that are not about the place in a longer text: ports, alphabets of other languages, pictures. */
  elements: number[];
}

/** What submits and deliveries have in common. */
export type Carried = Pick<PduOf<'data_sm'>, 'esmClass' | 'dataCoding' | 'tlvs'> & {
  shortMessage?: Buffer;
};

/** What a message carries, in its short_message or its message_payload, with its header. */
export function wholeOf({ shortMessage = Buffer.alloc(0), tlvs }: Carried): Buffer {
  return shortMessage.length > 0 ? shortMessage : (tlvOf(tlvs, 'messagePayload') ?? shortMessage);
}

/** The content of a message without its header. */
export function contentOf(pdu: Carried, byDefault: Alphabet): Content {
  const whole = wholeOf(pdu);
  const alphabet = alphabetOf(pdu.dataCoding, byDefault);
  const headerLength = pdu.esmClass & UDHI && whole.length > 0 ? whole[0]! + 1 : 0;
  // A header that is longer than the message is none.
  const header = whole.subarray(0, headerLength <= whole.length ? headerLength : 0);
  const rest = whole.subarray(header.length);
  const fill = (7 - ((header.length * 8) % 7)) % 7;
  const [single, locking] = [SINGLE_SHIFT, LOCKING_SHIFT].map((id) => languageIn(header, id));
  return {
    octets: alphabet === 'packed' ? unpack(rest, fill) : rest,
    alphabet: withTables(alphabet, single!, locking!),
    concatenation: ofHeader(header) ?? ofParameters(pdu.tlvs),
    elements: elementsOf(header).filter((id) => id !== 0x00 && id !== 0x08),
  };
}

/** Elements that name the language of a national table: 3GPP TS 23.040, sections 9.2.3.24.15 and 9.2.3.24.16. */
const SINGLE_SHIFT = 0x24;
const LOCKING_SHIFT = 0x25;

/** The number of the language that an element names; 0, that of GSM, without one. */
function languageIn(header: Buffer, element: number): number {
  for (let at = 1; at + 3 <= header.length; at += 2 + header[at + 1]!)
    if (header[at] === element && header[at + 1] === 1) return header[at + 2]!;
  return 0;
}

function elementsOf(header: Buffer): number[] {
  const ids: number[] = [];
  for (let at = 1; at + 2 <= header.length; at += 2 + header[at + 1]!) ids.push(header[at]!);
  return ids;
}

/** The element of a user data header that joins parts: 3GPP TS 23.040, section 9.2.3.24. */
function ofHeader(header: Buffer): Concatenation | undefined {
  for (let at = 1; at + 2 <= header.length; at += 2 + header[at + 1]!) {
    const [id, length] = [header[at]!, header[at + 1]!];
    const value = header.subarray(at + 2, at + 2 + length);
    if (value.length < length) return undefined;
    if (id === 0x00 && length === 3) return placed(value[0]!, value[1]!, value[2]!);
    if (id === 0x08 && length === 4) return placed(value.readUInt16BE(0), value[2]!, value[3]!);
  }
  return undefined;
}

function ofParameters(tlvs: readonly Tlv[]): Concatenation | undefined {
  const reference = tlvOf(tlvs, 'sarMsgRefNum');
  const total = tlvOf(tlvs, 'sarTotalSegments');
  const index = tlvOf(tlvs, 'sarSegmentSeqnum');
  if (reference === undefined || total === undefined || index === undefined) return undefined;
  return placed(reference, total, index);
}

/** 3GPP TS 23.040: an element whose numbers make no sense is ignored, and so is one of a single part. */
function placed(reference: number, total: number, index: number): Concatenation | undefined {
  return total > 1 && index >= 1 && index <= total ? { reference, total, index } : undefined;
}

export const textOf = ({ octets, alphabet }: Pick<Content, 'octets' | 'alphabet'>): string =>
  decodeText(octets, alphabet);
