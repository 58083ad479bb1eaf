import { describe, expect, test } from 'vitest';
import {
  afterEndpointCall,
  endpointEnding,
  endpointHealth,
  isEndpointBroken,
  isEndpointServable,
  endpointPausedUntil,
  type EndpointAnswer,
} from './endpoint-health.ts';

const now = new Date('2026-11-22T12:00:00Z');
const in_ = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const success: EndpointAnswer = { error: null, status: 200, retryAfterMs: null };
const failure = (status: number | null, retryAfterMs: number | null = null): EndpointAnswer => ({
  error: 'status',
  status,
  retryAfterMs,
});
const healthy = endpointHealth({ failures: 0, failingSince: null });
const failed = (times: number, answer = failure(500)) => {
  let health = healthy;
  for (let i = 0; i < times; i++) health = afterEndpointCall(health, answer, in_(i), 0);
  return health;
};

test('four failures in a row are no reason to hold calls back, the fifth is', () => {
  expect(failed(4)).toMatchObject({ failures: 4, failingSince: now, blockedUntil: null });
  expect(isEndpointServable(failed(4))).toBe(true);
  expect(isEndpointBroken(failed(5))).toBe(true);
  // The fifth call was four seconds after the first one; the first pause is five seconds.
  expect(endpointPausedUntil(failed(5))).toEqual(in_(9));
  expect(isEndpointServable(failed(5))).toBe(false);
});

test('a success forgets failures, not what was asked for', () => {
  const throttled = afterEndpointCall(failed(6), failure(429, 30_000), in_(10), 0);
  const health = afterEndpointCall(throttled, success, in_(11));
  expect(health).toMatchObject({ failures: 0, failingSince: null, succeededAt: in_(11) });
  expect(endpointPausedUntil(health)).toEqual(in_(40));
  expect(isEndpointServable(health)).toBe(false);
});

describe('Retry-After', () => {
  test.each([429, 502, 503, 504])('holds all calls back with %i', (status) => {
    expect(endpointPausedUntil(failed(1, failure(status, 60_000)))).toEqual(in_(60));
  });
  test('is a second at least', () => {
    expect(endpointPausedUntil(failed(1, failure(429, 0)))).toEqual(in_(1));
  });
  test.each([500, 404, null])('concerns the one call with %s', (status) => {
    expect(endpointPausedUntil(failed(1, failure(status, 60_000)))).toBeNull();
  });
  test('and the pause of a broken endpoint: the later one', () => {
    const both = failed(5, failure(503, 600_000));
    expect(endpointPausedUntil(both)).toEqual(in_(604));
  });
});

describe('the ending', () => {
  test('a 410, whatever follows', () => {
    const gone = afterEndpointCall(failed(1, failure(410)), success, now);
    expect(isEndpointServable(gone)).toBe(false);
    expect(endpointEnding(gone, now, 3600)).toBe('gone');
  });
  test('nothing but failures for as long as the patience', () => {
    expect(endpointEnding(failed(5), in_(3599), 3600)).toBeNull();
    expect(endpointEnding(failed(5), in_(3600), 3600)).toBe('failing');
  });
  test('few calls are no proof', () => {
    expect(endpointEnding(failed(4), in_(7200), 3600)).toBeNull();
    expect(endpointEnding(healthy, in_(7200), 3600)).toBeNull();
  });
});
