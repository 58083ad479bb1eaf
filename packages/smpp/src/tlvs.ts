import { type OctetWriter, PduError, uint } from './octets.ts';
import { STATUS } from './statuses.ts';

/** An optional parameter. Those that are not known are kept as they came, in their order. */
export interface Tlv {
  tag: number;
  value: Buffer;
}

/** SMPP 3.4, section 5.3.2: numbers by their length, C-octet strings and octets. */
const TLVS = {
  destAddrSubunit: [0x0005, 1],
  destNetworkType: [0x0006, 1],
  destBearerType: [0x0007, 1],
  destTelematicsId: [0x0008, 2],
  sourceAddrSubunit: [0x000d, 1],
  sourceNetworkType: [0x000e, 1],
  sourceBearerType: [0x000f, 1],
  sourceTelematicsId: [0x0010, 1],
  qosTimeToLive: [0x0017, 4],
  payloadType: [0x0019, 1],
  additionalStatusInfoText: [0x001d, 'cstring'],
  receiptedMessageId: [0x001e, 'cstring'],
  msMsgWaitFacilities: [0x0030, 1],
  privacyIndicator: [0x0201, 1],
  sourceSubaddress: [0x0202, 'octets'],
  destSubaddress: [0x0203, 'octets'],
  userMessageReference: [0x0204, 2],
  userResponseCode: [0x0205, 1],
  sourcePort: [0x020a, 2],
  destinationPort: [0x020b, 2],
  sarMsgRefNum: [0x020c, 2],
  languageIndicator: [0x020d, 1],
  sarTotalSegments: [0x020e, 1],
  sarSegmentSeqnum: [0x020f, 1],
  scInterfaceVersion: [0x0210, 1],
  callbackNumPresInd: [0x0302, 1],
  callbackNumAtag: [0x0303, 'octets'],
  numberOfMessages: [0x0304, 1],
  callbackNum: [0x0381, 'octets'],
  dpfResult: [0x0420, 1],
  setDpf: [0x0421, 1],
  msAvailabilityStatus: [0x0422, 1],
  networkErrorCode: [0x0423, 'octets'],
  messagePayload: [0x0424, 'octets'],
  deliveryFailureReason: [0x0425, 1],
  moreMessagesToSend: [0x0426, 1],
  messageState: [0x0427, 1],
  /** Of SMPP 5.0; sent in responses by SMSCs of 3.4 too. */
  congestionState: [0x0428, 1],
  ussdServiceOp: [0x0501, 'octets'],
  displayTime: [0x1201, 1],
  smsSignal: [0x1203, 2],
  msValidity: [0x1204, 1],
  alertOnMessageDelivery: [0x130c, 'octets'],
  itsReplyType: [0x1380, 1],
  itsSessionInfo: [0x1383, 'octets'],
} as const satisfies Record<string, readonly [number, 1 | 2 | 4 | 'cstring' | 'octets']>;

export type TlvName = keyof typeof TLVS;
type Shape<N extends TlvName> = (typeof TLVS)[N][1];
export type TlvValue<N extends TlvName> =
  Shape<N> extends number ? number : Shape<N> extends 'cstring' ? string : Buffer;

export const tagOf = (name: TlvName): number => TLVS[name][0];

/** `tlv('sarTotalSegments', 3)` is { tag: 0x020e, value: <03> }. */
export function tlv<N extends TlvName>(name: N, value: TlvValue<N>): Tlv {
  const [tag, shape] = TLVS[name];
  if (typeof shape === 'number') return { tag, value: uint(shape, value as number) };
  if (shape === 'cstring') return { tag, value: Buffer.from(`${value as string}\0`, 'latin1') };
  return { tag, value: value as Buffer };
}

/**
 * The first value of a parameter; undefined if it is absent or has no value of its kind. A number may have another length than the
 * specification gives it, and a text may have no NUL: both are sent by carriers.
 */
export function tlvOf<N extends TlvName>(tlvs: readonly Tlv[], name: N): TlvValue<N> | undefined {
  const [tag, shape] = TLVS[name];
  const found = tlvs.find((one) => one.tag === tag)?.value;
  if (!found) return undefined;
  if (shape === 'octets') return found as TlvValue<N>;
  if (shape === 'cstring') {
    const end = found.indexOf(0);
    return found.toString('latin1', 0, end < 0 ? found.length : end) as TlvValue<N>;
  }
  if (found.length < 1 || found.length > 4) return undefined;
  return found.readUIntBE(0, found.length) as TlvValue<N>;
}

/**
 * If there is no whole parameter at the end, throws a PduError, or gives those before it: where it is too short to have a length and only
 * fills the PDU (`filled`), or in any case (`any`).
 */
export function readTlvs(octets: Buffer, mayEnd: 'filled' | 'any' | undefined): Tlv[] {
  const tlvs: Tlv[] = [];
  let offset = 0;
  while (offset < octets.length) {
    const left = octets.length - offset;
    const hasLength = left >= 4;
    const isWhole = hasLength && left - 4 >= octets.readUInt16BE(offset + 2);
    if (!isWhole && (mayEnd === 'any' || (mayEnd === 'filled' && !hasLength))) break;
    if (!isWhole) throw broken();
    const tag = octets.readUInt16BE(offset);
    const length = octets.readUInt16BE(offset + 2);
    offset += 4;
    tlvs.push({ tag, value: Buffer.from(octets.subarray(offset, offset + length)) });
    offset += length;
  }
  return tlvs;
}

const broken = () =>
  new PduError('The optional parameters have no end', STATUS.ESME_RINVOPTPARSTREAM);

export function writeTlvs(writer: OctetWriter, tlvs: readonly Tlv[]): void {
  for (const { tag, value } of tlvs) {
    if (value.length > 0xffff) throw new PduError('A long parameter', STATUS.ESME_RINVPARLEN);
    writer.uint(2, tag);
    writer.uint(2, value.length);
    writer.put(value);
  }
}
