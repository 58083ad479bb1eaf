import { type PduInput, type Tlv, tlv } from '@heliograph/smpp';

/** What a receipt is about. */
export interface ReceiptFacts {
  /** Number of the message at this SMSC. */
  id: number;
  /** SMPP 3.4, section 5.2.28. */
  state: number;
  /** The network's code, 0 without an error. */
  error: number;
  submittedAt: Date;
  at: Date;
  /** The first letters of the message. */
  text: string;
}

type Fields = Pick<PduInput<'deliver_sm'>, 'esmClass' | 'dataCoding' | 'shortMessage' | 'tlvs'>;

/** How an SMSC writes the ids of its answers and its receipts. Each is one that exists. */
export interface ReceiptFormat {
  answerId(id: number): string;
  write(facts: ReceiptFacts): Fields;
}

const STATES = [
  'ENROUTE',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
];
const WHOLE: Record<string, string> = {
  DELIVRD: 'DELIVERED',
  UNDELIV: 'FAILED',
  REJECTD: 'REJECTED',
};

const decimal = (id: number) => String(id);
const zeros = (id: number) => String(id).padStart(10, '0');
const hex = (id: number) => id.toString(16).toUpperCase();

const RECEIPT = 0x04;
const ascii = (text: string, tlvs: Tlv[] = []): Fields => ({
  esmClass: RECEIPT,
  shortMessage: Buffer.from(text, 'latin1'),
  tlvs,
});

/** `2611261704`, with the century and seconds as asked. */
function date(time: Date, isLong = false, hasSeconds = false): string {
  const digits = time.toISOString().replace(/\D/g, '');
  return digits.slice(isLong ? 0 : 2, hasSeconds ? 14 : 12);
}

const err = (error: number) => String(error).padStart(3, '0');
const stat = ({ state }: ReceiptFacts) => STATES[state]!;
const isDelivered = ({ state }: ReceiptFacts) => state === 2;

interface Style {
  id?: (id: number) => string;
  date?: (time: Date) => string;
  stat?: string;
  textKey?: string;
  text?: string;
}

/** The form of appendix B of the specification, with a style. */
function standard(facts: ReceiptFacts, style: Style = {}): string {
  const { id = zeros, date: dated = date, textKey = 'text' } = style;
  return (
    `id:${id(facts.id)} sub:001 dlvrd:${isDelivered(facts) ? '001' : '000'}` +
    ` submit date:${dated(facts.submittedAt)} done date:${dated(facts.at)}` +
    ` stat:${style.stat ?? stat(facts)} err:${err(facts.error)} ${textKey}:${style.text ?? facts.text}`
  );
}

const parameters = (facts: ReceiptFacts, id: string) => [
  tlv('receiptedMessageId', id),
  tlv('messageState', facts.state),
  ...(facts.error
    ? [tlv('networkErrorCode', Buffer.from([3, facts.error >> 8, facts.error & 0xff]))]
    : []),
];

export const RECEIPT_FORMATS = {
  /** Appendix B, to the letter. */
  standard: { answerId: zeros, write: (facts) => ascii(standard(facts)) },
  'capital-text': {
    answerId: zeros,
    write: (facts) => ascii(standard(facts, { textKey: 'Text', text: '' })),
  },
  seconds: {
    answerId: decimal,
    write: (facts) =>
      ascii(standard(facts, { id: decimal, date: (time) => date(time, false, true) })),
  },
  century: {
    answerId: decimal,
    write: (facts) =>
      ascii(standard(facts, { id: decimal, date: (time) => date(time, true, true) })),
  },
  tabs: {
    answerId: zeros,
    write: (facts) => ascii(standard(facts).replaceAll(/ (?!date)/g, '\t')),
  },
  reordered: {
    answerId: decimal,
    write: (facts) =>
      ascii(
        `stat:${stat(facts)} err:${err(facts.error)} done date:${date(facts.at)} id:${facts.id} dlvrd:001 sub:001`,
      ),
  },
  /** No text at all. */
  parameters: {
    answerId: hex,
    write: (facts) => ascii('', parameters(facts, hex(facts.id))),
  },
  /** Both, whose ids differ: the parameter is right. */
  'parameters-and-text': {
    answerId: hex,
    write: (facts) => ascii(standard(facts), parameters(facts, hex(facts.id))),
  },
  /** Answers in hexadecimal digits, receipts in decimal ones with zeros in front. */
  'hex-answers': { answerId: hex, write: (facts) => ascii(standard(facts)) },
  'hex-receipts': {
    answerId: decimal,
    write: (facts) => ascii(standard(facts, { id: hex })),
  },
  /** Words that nobody cut, and no time. */
  'whole-words': {
    answerId: zeros,
    write: (facts) =>
      ascii(standard(facts, { date: () => '0000000000', stat: WHOLE[stat(facts)] ?? stat(facts) })),
  },
  /** In UCS-2, as a payload. */
  payload: {
    answerId: zeros,
    write: (facts) => ({
      esmClass: RECEIPT,
      dataCoding: 8,
      tlvs: [tlv('messagePayload', Buffer.from(standard(facts), 'utf16le').swap16())],
    }),
  },
} as const satisfies Record<string, ReceiptFormat>;

export type ReceiptFormatName = keyof typeof RECEIPT_FORMATS;
export const RECEIPT_FORMAT_NAMES = Object.keys(RECEIPT_FORMATS) as ReceiptFormatName[];
