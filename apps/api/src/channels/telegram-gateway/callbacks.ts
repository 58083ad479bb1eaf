import { createHash, createHmac } from 'node:crypto';
import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { z } from 'zod';

import { currentTime } from '../../core/time.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import type { CallbackDoor, CarrierCallback, CarrierReport, IncomingCallback } from '../channel.ts';

/** Telegram signs each attempt anew. */
const TOLERANCE_SECONDS = 300;

export function doorOf(token: string): CallbackDoor {
  const key = createHash('sha256').update(token).digest();
  return { isGenuine: (call) => isSigned(key, call), read: readReport };
}

/** Over the time, a line break and the received bytes. */
function isSigned(key: Buffer, { headers, body }: IncomingCallback): boolean {
  const timestamp = headers['x-request-timestamp'];
  const given = headers['x-request-signature'];
  if (typeof timestamp !== 'string' || typeof given !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const wanted = createHmac('sha256', key).update(`${timestamp}\n`).update(body).digest('hex');
  if (!isSameSecret(given.toLowerCase(), wanted)) return false;
  return Math.abs(currentTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

const Report = z.object({
  request_id: z.string().min(1).max(MAX_EXTERNAL_ID),
  payload: z.unknown().optional(),
  is_refunded: z.unknown().optional(),
  delivery_status: z.object({ status: z.string(), updated_at: z.unknown().optional() }),
});
const Time = z.int().min(1e9).max(9_999_999_999);

const STATUSES: Readonly<Record<string, Pick<CarrierReport, 'status' | 'code'>>> = {
  sent: { status: 'sent' },
  delivered: { status: 'delivered' },
  read: { status: 'seen' },
  /** Not delivered within its time. */
  expired: { status: 'failed', code: 'expired' },
  revoked: { status: 'failed', code: 'deleted' },
};

/** A call reports one code. What a person has entered (`verification_status`) means nothing here. */
function readReport(fields: unknown, now: Date): CarrierCallback {
  const { data } = Report.safeParse(fields);
  const said = data?.delivery_status;
  if (!said || !Object.hasOwn(STATUSES, said.status))
    return { reports: [], messages: [], ignored: 1, answer: 'OK' };
  const { request_id: externalId, payload } = data;
  // Ours finds the message before the answer to its submit, and if that was lost.
  const message =
    typeof payload === 'string' && isUuid(payload) ? { reference: payload } : { externalId };
  const outcome = STATUSES[said.status]!;
  const seconds = Time.safeParse(said.updated_at).data;
  const report: CarrierReport = {
    ...message,
    ...outcome,
    ...(outcome.code && { carrierCode: said.status }),
    ...(outcome.code && data.is_refunded === true && { text: 'Refunded by Telegram.' }),
    at: seconds === undefined ? now : new Date(seconds * 1000),
  };
  return { reports: [report], messages: [], ignored: 0, answer: 'OK' };
}
