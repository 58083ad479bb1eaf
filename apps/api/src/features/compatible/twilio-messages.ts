import type { Sending } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';

export const API_VERSION = '2010-04-01';

/** As clients write and compare it: `SM` and the 32 digits of the id. */
export const sidOf = (id: string): string => `SM${id.replaceAll('-', '')}`;

/** The id of a `Sid`; null for one that is none. */
export function idOfSid(sid: string): string | null {
  const [, digits] = /^SM([\da-f]{32})$/i.exec(sid) ?? [];
  if (!digits) return null;
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase();
  return isUuid(id) ? id : null;
}

/** `MessageStatus` of a status. What failed after the carrier took it is `undelivered`, as there. */
export function twilioStatus(status: string, code: string | null, sentAt: string | null): string {
  switch (status) {
    case 'processing':
      return 'sending';
    case 'sent':
      return 'sent';
    case 'delivered':
    case 'seen':
      return 'delivered';
    case 'failed':
      if (code === 'stopped') return 'canceled';
      return sentAt === null ? 'failed' : 'undelivered';
    default:
      return 'queued';
  }
}

/** Numbers of failures; `docs/en/api/compatible.md` has the table. */
const FAILURES: Record<string, number> = {
  absent_subscriber: 30003,
  memory_full: 30003,
  blocked: 30004,
  blacklisted: 30004,
  unsubscribed: 21610,
  frequency_cap_reached: 21610,
  not_a_user: 30005,
  number_not_found: 30005,
  invalid_recipient: 21211,
  landline: 30006,
  no_route: 30006,
  content_rejected: 30007,
  rejected: 30007,
  insufficient_funds: 30002,
  spend_cap_reached: 30002,
  account_inactive: 30002,
  rejected_sender: 21606,
  sender_not_approved: 21606,
  expired: 30036,
};
const UNKNOWN_FAILURE = 30008;

export const failureNumber = (code: string | null): number =>
  FAILURES[code ?? ''] ?? UNKNOWN_FAILURE;

/** A time as in an e-mail: `Thu, 26 Nov 2026 17:04:00 +0000`. */
export const mailTime = (at: string): string => new Date(at).toUTCString().replace('GMT', '+0000');

/** What a message is presented from. */
export interface MessageFacts {
  id: string;
  from: string;
  to: string;
  body: string | null;
  segments: number;
  status: string;
  /** Whether it waits for a later time. */
  isScheduled: boolean;
  code: string | null;
  error: string | null;
  createdAt: string;
  updatedAt: string;
  sentAt: string | null;
  /** What it costs; null while that is not known. */
  amount: number | null;
  currency: string;
}

export const factsOf = (row: Sending, currency: string, now: Date): MessageFacts => ({
  id: row.id,
  from: row.payload.sender,
  to: row.recipient,
  body: row.payload.text ?? null,
  segments: row.meta.stats.segments,
  status: row.state.status,
  isScheduled: row.dueAt !== null && Date.parse(row.dueAt) > now.getTime(),
  code: row.state.code,
  error: row.state.error,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  sentAt: row.sentAt,
  amount: row.meta.billing && !row.meta.billing.refunded ? row.meta.billing.amount : null,
  currency,
});

/** The resource Message. */
export function presentMessage(accountSid: string, facts: MessageFacts): object {
  const sid = sidOf(facts.id);
  const uri = `/${API_VERSION}/Accounts/${accountSid}/Messages/${sid}`;
  const isFailed = facts.status === 'failed';
  return {
    account_sid: accountSid,
    api_version: API_VERSION,
    body: facts.body,
    date_created: mailTime(facts.createdAt),
    date_sent: facts.sentAt && mailTime(facts.sentAt),
    date_updated: mailTime(facts.updatedAt),
    direction: 'outbound-api',
    error_code: isFailed ? failureNumber(facts.code) : null,
    error_message: isFailed ? facts.error : null,
    from: facts.from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: String(facts.segments),
    price: facts.amount === null ? null : (-facts.amount).toFixed(5),
    price_unit: facts.currency,
    sid,
    status: facts.isScheduled ? 'scheduled' : twilioStatus(facts.status, facts.code, facts.sentAt),
    subresource_uris: { media: `${uri}/Media.json` },
    to: facts.to,
    uri: `${uri}.json`,
  };
}
