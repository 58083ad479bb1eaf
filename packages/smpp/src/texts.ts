import { splitSegments } from '@heliograph/domain';

import { type Alphabet, encodeText } from './alphabets.ts';
import { PduError, uint } from './octets.ts';
import { STATUS } from './statuses.ts';
import { type Tlv, tlv } from './tlvs.ts';

/** How a carrier wants texts. */
export interface TextOptions {
  /** The alphabet of texts for which the GSM alphabet suffices. What it lacks, `€` in Latin-1, goes as UCS-2. */
  alphabet: Exclude<Alphabet, 'ucs2'>;
  /** `data_coding` of that alphabet. 0 is the carrier's own, whichever it is. */
  dataCoding: number;
  /** `data_coding` of UCS-2. */
  ucs2DataCoding: number;
  /** What joins the parts of a long text: a header with a reference of one or two octets, parameters, or one long message. */
  long: 'udh8' | 'udh16' | 'sar' | 'payload';
}

export const TEXT_OPTIONS: TextOptions = {
  alphabet: 'gsm',
  dataCoding: 0,
  ucs2DataCoding: 8,
  long: 'udh8',
};

/** The fields of submit_sm that depend on the text. */
export interface TextPart {
  esmClass: number;
  dataCoding: number;
  shortMessage: Buffer;
  tlvs: Tlv[];
}

const MAX_PARTS = 255;
export const UDHI = 0x40;

/**
 * The parts of a text. `reference` tells the parts of this text from those of others to the same person; its lower octets are used.
 * Throws a PduError with ESME_RINVMSGLEN for a text of too many parts.
 */
export function partsOf(text: string, options: TextOptions, reference: number): TextPart[] {
  const { long } = options;
  const header = long === 'udh16' ? 7 : 6;
  let alphabet: Alphabet = options.alphabet;
  let split = splitSegments(text, { header });
  // Latin-1 and ASCII lack letters that GSM has, and GSM those of Latin-1: `ç` is UCS-2 wherever it is sent.
  if (split.encoding === 'unicode' || !split.parts.every((part) => encodeText(part, alphabet))) {
    alphabet = 'ucs2';
    split = splitSegments(text, { header, encoding: 'unicode' });
  }
  const dataCoding = alphabet === 'ucs2' ? options.ucs2DataCoding : options.dataCoding;
  const { parts } = split;
  const total = parts.length;
  const plain = { esmClass: 0, dataCoding, tlvs: [] };
  if (total === 1) return [{ ...plain, shortMessage: encodeText(parts[0]!, alphabet)! }];
  if (long === 'payload') {
    const payload = encodeText(parts.join(''), alphabet)!;
    if (payload.length > 0xffff) throw tooLong(total);
    // Never beside a short_message: section 4.4.1.
    return [{ ...plain, shortMessage: Buffer.alloc(0), tlvs: [tlv('messagePayload', payload)] }];
  }
  if (total > MAX_PARTS) throw tooLong(total);
  return parts.map((part, i) => {
    if (long === 'sar') {
      const tlvs = [
        tlv('sarMsgRefNum', reference & 0xffff),
        tlv('sarTotalSegments', total),
        tlv('sarSegmentSeqnum', i + 1),
      ];
      return { ...plain, shortMessage: encodeText(part, alphabet)!, tlvs };
    }
    const udh = udhOf(long, reference, total, i + 1);
    const fill = (7 - ((udh.length * 8) % 7)) % 7;
    const shortMessage = Buffer.concat([udh, encodeText(part, alphabet, fill)!]);
    return { ...plain, esmClass: UDHI, shortMessage };
  });
}

const tooLong = (total: number) => new PduError(`A text of ${total} parts`, STATUS.ESME_RINVMSGLEN);

/** 3GPP TS 23.040, sections 9.2.3.24.1 and 9.2.3.24.8. */
function udhOf(long: 'udh8' | 'udh16', reference: number, total: number, index: number): Buffer {
  return long === 'udh8'
    ? Buffer.from([5, 0, 3, reference & 0xff, total, index])
    : Buffer.concat([
        Buffer.from([6, 8, 4]),
        uint(2, reference & 0xffff),
        Buffer.from([total, index]),
      ]);
}
