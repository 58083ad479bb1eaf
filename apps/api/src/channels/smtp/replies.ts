import type { SendingErrorCode } from '@heliograph/domain';

/** The code of RFC 5321, and the enhanced one of RFC 3463 if the server has it, with what it says. */
export interface ServerReply {
  code: number;
  enhanced?: string;
  text: string;
}

/** `550-5.1.1 No such\r\n550 5.1.1 user` is `{ code: 550, enhanced: '5.1.1', text: 'No such user' }`. */
export function replyIn(response: string): ServerReply {
  const lines = response.slice(0, MAX_RESPONSE).split(/\r?\n/);
  const [, code, enhanced] = LINE.exec(lines[0]!) ?? [];
  const text = lines.map((line) => line.replace(LINE, '').trim()).join(' ');
  return { code: Number(code ?? 0), ...(enhanced && { enhanced }), text };
}

const MAX_RESPONSE = 4_000;
const LINE = /^(\d{3})[ -]?(?:([245]\.\d{1,3}\.\d{1,3})(?= |$))?/;

const HOUR_MS = 3_600_000;
const FIRST_RETRY_MS = 60_000;

/** A receiver that defers is asked less and less often: greylisting ends within minutes, a full mailbox in hours. */
export const retryAfter = (tries: number): number =>
  Math.min(HOUR_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10));

/** By enhanced codes, and by their class: RFC 3463, section 3, and the registry of IANA. */
const BY_ENHANCED: Record<string, SendingErrorCode> = {
  '1.1': 'number_not_found',
  '1.2': 'number_not_found',
  '1.3': 'invalid_recipient',
  '1.6': 'number_not_found',
  '1.10': 'number_not_found',
  '1.7': 'rejected_sender',
  '1.8': 'rejected_sender',
  '2.1': 'absent_subscriber',
  '2.2': 'memory_full',
  '2.3': 'too_long',
  '3.4': 'too_long',
  '4.7': 'expired',
  '7.1': 'blocked',
  '7.25': 'blocked',
  '7.26': 'blocked',
};
const BY_CLASS: Record<string, SendingErrorCode> = {
  1: 'invalid_recipient',
  2: 'undeliverable',
  4: 'undeliverable',
  6: 'content_rejected',
  7: 'blocked',
};
/** Of a server without enhanced codes. */
const BY_CODE: Record<number, SendingErrorCode> = {
  550: 'undeliverable',
  551: 'number_not_found',
  552: 'memory_full',
  553: 'invalid_recipient',
  554: 'rejected',
};

/** What a final refusal means for its message. */
export function refusalOf({ code, enhanced }: Omit<ServerReply, 'text'>): SendingErrorCode {
  const [kind, subject, detail] = enhanced?.split('.') ?? [];
  // A code of another kind says nothing of this refusal.
  if (kind === '5' || kind === '4') {
    const known = BY_ENHANCED[`${subject}.${detail}`] ?? BY_CLASS[subject!];
    if (known) return known;
  }
  return BY_CODE[code] ?? 'rejected';
}

/** Whether nothing will ever reach this address, so that nothing more is sent to it. */
export const isHardBounce = ({ enhanced }: Omit<ServerReply, 'text'>): boolean =>
  HARD_BOUNCES.has(enhanced ?? '');

/** No such mailbox or domain, a domain that takes no mail, a mailbox that has moved or is closed. */
const HARD_BOUNCES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
