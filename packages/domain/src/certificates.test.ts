import { expect, test } from 'vitest';
import { certificateStage } from './certificates.ts';

const END = new Date('2026-12-31T00:00:00Z');
test.each([
  ['2026-12-01T00:00:00Z', 'valid'],
  ['2026-12-01T00:00:01Z', 'ending'],
  ['2026-12-24T00:00:00Z', 'ending'],
  ['2026-12-24T00:00:01Z', 'urgent'],
  ['2026-12-30T23:59:59Z', 'urgent'],
  ['2026-12-31T00:00:00Z', 'ended'],
])('at %s it is %s', (now, stage) => {
  expect(certificateStage(END, new Date(now))).toBe(stage);
});
