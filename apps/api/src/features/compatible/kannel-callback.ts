import type { WebhookStatus } from '@heliograph/domain';
import type { Callback } from '../webhooks/message-callbacks.service.ts';
import type { CallbackFacts, StatusReport } from './callback.ts';

/** Bits of `dlr-mask`, and values of `%d`. */
export const DLR = { delivered: 1, failed: 2, accepted: 8, rejected: 16 } as const;

/** The statuses that a mask asks for. */
export function statusesOfMask(mask: number): WebhookStatus[] {
  return [
    ...(mask & DLR.accepted ? (['sent'] as const) : []),
    ...(mask & DLR.delivered ? (['delivered'] as const) : []),
    ...(mask & (DLR.failed | DLR.rejected) ? (['failed'] as const) : []),
  ];
}

/** A failure before the carrier took the message is a rejection. Who asks for one kind of failure is told of the other as that. */
function typeOf({ status, sentAt }: StatusReport, mask: number): number {
  if (status === 'sent') return DLR.accepted;
  if (status !== 'failed') return DLR.delivered;
  const type = sentAt === null ? DLR.rejected : DLR.failed;
  if (mask & type) return type;
  return type === DLR.failed ? DLR.rejected : DLR.failed;
}

/** The call of a `dlr-url`. */
export function kannelCallback({ callback, report, at }: CallbackFacts): Callback {
  const { url, values } = callback;
  const type = typeOf(report, Number(values.mask));
  const filled = fillUrl(url, { report, at, type, values });
  return { method: 'GET', url: filled, body: null, headers: {} };
}

interface Filling {
  report: StatusReport;
  at: Date;
  type: number;
  values: Record<string, string>;
}

/**
 * Fills in the escape codes that Kannel has for delivery reports: `%d` becomes 1. Others stay as they are, and so do parts of the URL
 * that are escaped otherwise. As there, `%p` is who sent the message and `%P` who gets it.
 */
function fillUrl(url: string, { report, at, type, values }: Filling): string {
  const recipient = report.recipient.replace(/^\+/, '');
  const answer = answerOf(report, at, type);
  const codes: Record<string, string> = {
    d: String(type),
    p: report.sender,
    P: recipient,
    q: report.sender,
    Q: report.recipient,
    t: at.toISOString().slice(0, 19).replace('T', ' '),
    T: String(Math.floor(at.getTime() / 1000)),
    i: values.smsc ?? '',
    I: report.id,
    F: report.id,
    A: answer,
    a: answer,
    b: answer,
    n: values.username ?? '',
    o: values.account ?? '',
    c: '0',
    C: 'UTF-8',
    '%': '%',
  };
  return url.replaceAll(/%([A-Za-z%])/g, (whole, code: string) =>
    code === '%' ? '%' : Object.hasOwn(codes, code) ? escaped(codes[code]!) : whole,
  );
}

const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** The text of a receipt, as carriers write it. */
function answerOf({ id, error }: StatusReport, at: Date, type: number): string {
  if (type === DLR.accepted) return 'ACK/';
  if (type === DLR.rejected) return `NACK/${error.code ?? 'unknown'}`;
  const isDelivered = type === DLR.delivered;
  const done = at.toISOString().replaceAll(/\D/g, '').slice(2, 12);
  const state = isDelivered ? 'DELIVRD' : error.code === 'expired' ? 'EXPIRED' : 'UNDELIV';
  return `id:${id} sub:001 dlvrd:${isDelivered ? '001' : '000'} done date:${done} stat:${state} err:${isDelivered ? '000' : (error.code ?? 'unknown')} text:`;
}
