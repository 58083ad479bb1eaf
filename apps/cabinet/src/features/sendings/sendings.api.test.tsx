import { ApiError } from '@heliograph/contract';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow } from '../../core/realtime/follow.ts';
import { estimateQuery } from '../estimates/estimates.api.ts';
import { billingQuery, sendingQuery } from './sendings.api.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('an estimate stands while messages of a bulk change by the thousand', () => {
  const client = new QueryClient();
  const estimate = estimateQuery({
    type: 'sms',
    recipient: '+79161234567',
    payload: { sender: 'MIRTEA', text: 'Hello' },
  }).queryKey;
  const sending = sendingQuery('1').queryKey;
  client.setQueryData<object>(estimate, { amount: 1 });
  client.setQueryData<object>(sending, { id: '1' });
  follow(client).receive('sendings.updated', { groupId: 'g', count: 5000 } as never);
  vi.advanceTimersByTime(5000);
  expect(client.getQueryState(sending)!.isInvalidated).toBe(true);
  expect(client.getQueryState(estimate)!.isInvalidated).toBe(false);
});

it('the entry of a message is looked up again after a failure, not after a refusal', () => {
  const retry = billingQuery('1').retry as (failures: number, error: Error) => boolean;
  const refusal = (status: number) =>
    Object.assign(Object.create(ApiError.prototype) as ApiError, { status });
  expect(retry(100, new Error('failed'))).toBe(true);
  expect(retry(100, refusal(503))).toBe(true);
  expect(retry(0, refusal(404))).toBe(false);
  expect(retry(0, refusal(403))).toBe(false);
});
