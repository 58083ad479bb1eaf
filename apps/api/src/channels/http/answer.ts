import { CarrierResult } from '@heliograph/contract';
import { carrierFailure } from '@heliograph/domain';
import { z } from 'zod';

import { type SubmitResult, UnknownOutcome } from '../channel.ts';
import { type HttpAnswer, refuseByStatus, RETRY_SOON_MS } from '../http-call.ts';

const Answer = z.object({ results: z.array(z.unknown()) });

const MAX_RETRY_MS = 15 * 60_000;

/**
 * Parses the HTTP response to a batch. Throws ChannelDown when the status means that nothing was
 * accepted, UnknownOutcome when that is not certain. Invalid items are left out, so that their outcome is
 * unknown; a code of a rejection that is not ours becomes `rejected`, and stays as the carrier's.
 *
 *     readAnswer({ status: 200, body: '{"results":[{"reference":"a","result":"accepted"}]}' })
 *     // [{ reference: 'a', result: 'accepted' }]
 */
export function readAnswer(answer: HttpAnswer): SubmitResult[] {
  refuseByStatus(answer);
  return itemsOf(answer.body).flatMap((item) => resultOf(item) ?? []);
}

function itemsOf(body: string): unknown[] {
  try {
    return Answer.parse(JSON.parse(body)).results;
  } catch (cause) {
    throw new UnknownOutcome('answered something unreadable', { cause });
  }
}

function resultOf(item: unknown): SubmitResult | undefined {
  const { data } = CarrierResult.safeParse(item);
  if (data?.result === 'rejected') {
    const { code, carrierCode, carrierText } = carrierFailure(data);
    return {
      reference: data.reference,
      result: 'rejected',
      code: code ?? 'rejected',
      ...(carrierCode && { carrierCode }),
      ...(carrierText && { text: carrierText }),
    };
  }
  if (data?.result === 'throttled') {
    return { ...data, retryAfter: Math.min(data.retryAfter ?? RETRY_SOON_MS, MAX_RETRY_MS) };
  }
  if (data?.result !== 'accepted') return data;
  const { reference, result, externalId, externalIds = externalId ? [externalId] : [] } = data;
  return { reference, result, ...(externalIds.length && { externalIds }) };
}
