import { expect, test } from 'vitest';
import { findSuperlinear } from '../../domain/src/testing/complexity.ts';
import { carrierProfile, planReports, respondToSubmit } from './index.ts';

const now = new Date('2026-11-22T12:00:00Z');
const profile = carrierProfile({});
const message = (text: string) => ({
  reference: text,
  type: 'sms' as const,
  recipient: text,
  text,
});

test.each<[string, (text: string) => unknown]>([
  ['planReports', (text) => planReports(message(text), profile, text, now)],
  ['respondToSubmit', (text) => respondToSubmit({ ...message(text), tries: 0 }, profile, text)],
])('%s takes linear time', (_, read) => {
  expect(findSuperlinear(read)).toEqual([]);
});
