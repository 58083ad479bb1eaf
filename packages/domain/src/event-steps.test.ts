import { expect, test } from 'vitest';
import { eventSteps } from './event-steps.ts';

const START = Date.UTC(2026, 10, 22, 9, 15, 0);
const at = (seconds: number, submitted: number, delivered = 0, failed = 0) => ({
  at: START + seconds * 1000,
  submitted,
  delivered,
  failed,
});

test('no events have no steps', () => {
  expect(eventSteps([])).toEqual({ seconds: 10, steps: [] });
});

test('steps have no gaps and begin at a round time', () => {
  expect(eventSteps([at(5, 3), at(25, 0, 2, 1)])).toEqual({
    seconds: 10,
    steps: [at(0, 3), at(10, 0), at(20, 0, 2, 1)],
  });
});

test.each([
  [479, 10, 48],
  [481, 30, 17],
  [12 * 3600, 1800, 25],
  [400 * 86_400, 30 * 86_400, 14],
])('%i seconds are shown in steps of %i', (span, seconds, count) => {
  const { steps, ...shown } = eventSteps([at(0, 50), at(span, 50)]);
  expect(shown).toEqual({ seconds });
  expect(steps).toHaveLength(count);
  expect(steps.reduce((sum, step) => sum + step.submitted, 0)).toBe(100);
});

test('a tail of late reports is in the last step', () => {
  const { seconds, steps } = eventSteps([at(0, 1000), at(20, 0, 995), at(86_400, 0, 0, 5)]);
  expect(seconds).toBe(10);
  expect(steps).toEqual([at(0, 1000), at(10, 0), at(20, 0, 995, 5)]);
});
