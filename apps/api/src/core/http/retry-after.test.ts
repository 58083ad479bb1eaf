import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { busy } from './service-client.ts';
import { retryAfterMs } from './retry-after.ts';

test.each([
  ['7', 7000],
  ['1.5', 1500],
  ['0', 0],
  ['-3', 0],
  ['1e300', 900_000],
  ['Infinity', 900_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 900_000],
  ['soon', null],
  [' ', null],
  [null, null],
])('%j is %j milliseconds', (header, wait) => {
  expect(retryAfterMs(header)).toBe(wait);
});

const waitOf = (header: string) => {
  const headers = new Headers({ 'retry-after': header });
  const error = busy({ status: 429, headers, bytes: Buffer.alloc(0) });
  expect(error).toBeInstanceOf(AppError);
  return Number(error.detail.headers!['retry-after']);
};

test('the Retry-After of a busy service is bounded', () => {
  expect(waitOf('7')).toBe(7);
  expect(waitOf('1e300')).toBe(900);
  expect(waitOf(new Date(Date.now() + 30_000).toUTCString())).toBeGreaterThan(25);
  expect(waitOf(new Date(Date.now() + 30_000).toUTCString())).toBeLessThanOrEqual(30);
  expect(waitOf('soon')).toBe(60);
});
