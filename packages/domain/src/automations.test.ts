import { describe, expect, it } from 'vitest';
import {
  anniversariesOn,
  anniversariesWithin,
  dayIn,
  numberSteps,
  stepAfter,
  waitEnd,
} from './automations.ts';

const end = (at: string, amount: number, unit: 'minutes' | 'hours' | 'days', zone: string) =>
  waitEnd(new Date(at), { amount, unit }, zone).toISOString();

describe('the end of a wait', () => {
  it.each([
    ['2026-11-22T09:00:00.000Z', 90, 'minutes', 'UTC', '2026-11-22T10:30:00.000Z'],
    ['2026-11-22T09:00:00.000Z', 48, 'hours', 'UTC', '2026-11-24T09:00:00.000Z'],
    ['2026-11-22T09:00:00.000Z', 3, 'days', 'Europe/Moscow', '2026-11-25T09:00:00.000Z'],
    // The clocks of Madrid are put forward on March 29, 2026, and back on October 25.
    ['2026-03-28T11:00:00.000Z', 1, 'days', 'Europe/Madrid', '2026-03-29T10:00:00.000Z'],
    ['2026-03-28T11:00:00.000Z', 24, 'hours', 'Europe/Madrid', '2026-03-29T11:00:00.000Z'],
    ['2026-10-24T10:00:00.000Z', 1, 'days', 'Europe/Madrid', '2026-10-25T11:00:00.000Z'],
    // 2:30 does not exist: as long after midnight.
    ['2026-03-28T01:30:00.000Z', 1, 'days', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
    ['2028-02-28T12:00:00.000Z', 1, 'days', 'UTC', '2028-02-29T12:00:00.000Z'],
  ] as const)('%s and %i %s in %s', (at, amount, unit, zone, expected) => {
    expect(end(at, amount, unit, zone)).toBe(expected);
  });
});

describe('the step that follows', () => {
  const steps = [{ id: 1 }, { id: 2 }, { id: 3 }];
  it.each([
    [[], 1],
    [[1], 2],
    [[1, 2], 3],
    [[1, 2, 3], undefined],
  ])('after %j', (taken, next) => {
    expect(stepAfter(steps, taken)?.id).toBe(next);
  });
  it('is none that was taken, when steps were moved, and goes on after a removed one', () => {
    expect(stepAfter([{ id: 3 }, { id: 2 }, { id: 1 }], [1, 2])).toBeUndefined();
    expect(stepAfter([{ id: 3 }, { id: 2 }, { id: 1 }, { id: 4 }], [1, 2])?.id).toBe(4);
    expect(stepAfter([{ id: 1 }, { id: 3 }], [1, 2])?.id).toBe(3);
    expect(stepAfter([{ id: 4 }, { id: 5 }], [1, 2])?.id).toBe(4);
  });
});

it('a day is that of the time zone', () => {
  const at = new Date('2026-12-31T22:00Z');
  expect(['UTC', 'Europe/Moscow'].map((zone) => dayIn(zone, at))).toEqual([
    '2026-12-31',
    '2027-01-01',
  ]);
});

it('ids of steps stay, and none is given twice', () => {
  const numbers = (ids: (number | undefined)[], known: number[], last: number) =>
    numberSteps(
      ids.map((id) => ({ id, do: 'wait' })),
      known.map((id) => ({ id, do: 'wait' })),
      last,
    );
  expect(numbers([undefined, undefined], [], 0)).toMatchObject({
    steps: [{ id: 1 }, { id: 2 }],
    last: 2,
  });
  expect(numbers([3, undefined, 9, 3], [1, 3], 4).steps.map(({ id }) => id)).toEqual([3, 5, 6, 7]);
  // What does another thing is another step.
  expect(numberSteps([{ id: 3, do: 'message' }], [{ id: 3, do: 'wait' }], 4)).toEqual({
    steps: [{ id: 5, do: 'message' }],
    last: 5,
  });
});

it.each([
  ['2028-02-29', ['02-29']],
  ['2028-02-28', ['02-28']],
  ['2027-02-28', ['02-28', '02-29']],
  ['2100-02-28', ['02-28', '02-29']],
  ['2026-12-05', ['12-05']],
])('what is celebrated on %s', (date, days) => {
  expect(anniversariesOn(date)).toEqual(days);
});

it.each<[date: string, days: number, found: string[]]>([
  ['2026-12-30', 2, ['12-30', '12-31', '01-01']],
  ['2027-02-27', 2, ['02-27', '02-28', '02-29', '03-01']],
  ['2028-02-27', 2, ['02-27', '02-28', '02-29']],
  ['2026-07-01', 0, ['07-01']],
])('from %s on, %i days later: %j', (date, days, found) => {
  expect(anniversariesWithin(date, days)).toEqual(found);
});

it('a year later every day has been celebrated, once', () => {
  for (const date of ['2026-03-05', '2028-02-29', '2027-12-31'])
    expect(anniversariesWithin(date, 365)).toHaveLength(366);
});
