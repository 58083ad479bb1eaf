import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatusReport } from './reports.ts';
import { canTransition, mergeReports } from './reports.ts';
import type { Status } from './types.ts';
import { STATUSES } from './types.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const report = (status: Status, seconds: number, code?: string): StatusReport =>
  code === undefined ? { status, at: at(seconds) } : { status, at: at(seconds), code };

describe('canTransition', () => {
  it.each([
    ['pending', ['paused', 'processing', 'sent', 'delivered', 'seen', 'failed']],
    ['paused', ['pending', 'processing', 'sent', 'delivered', 'seen', 'failed']],
    ['processing', ['sent', 'delivered', 'seen', 'failed']],
    ['sent', ['delivered', 'seen', 'failed']],
    ['delivered', ['seen']],
    ['seen', []],
    ['failed', ['delivered', 'seen']],
  ] as [Status, Status[]][])('%s can change to %j', (from, expected) => {
    expect(STATUSES.filter((to) => canTransition(from, to))).toEqual(expected);
  });
});

describe('mergeReports', () => {
  it.each([
    [
      'in order',
      [report('sent', 1), report('delivered', 2), report('seen', 3)],
      'seen',
      1,
      2,
      3,
      null,
    ],
    ['out of order', [report('delivered', 2), report('sent', 1)], 'delivered', 1, 2, null, null],
    ['twice', [report('delivered', 2), report('delivered', 5)], 'delivered', null, 2, null, null],
    ['seen without delivered', [report('seen', 3)], 'seen', null, 3, 3, null],
    [
      'seen reported before delivered',
      [report('seen', 3), report('delivered', 4)],
      'seen',
      null,
      3,
      3,
      null,
    ],
    [
      'a late delivered',
      [report('failed', 1, 'expired'), report('delivered', 9)],
      'delivered',
      null,
      9,
      null,
      1,
    ],
    [
      'a late failure',
      [report('delivered', 1), report('failed', 9, 'expired')],
      'delivered',
      null,
      1,
      null,
      9,
    ],
    [
      'failed after sent',
      [report('sent', 1), report('failed', 2, 'blocked')],
      'failed',
      1,
      null,
      null,
      2,
    ],
  ] as [string, StatusReport[], Status, ...(number | null)[]][])(
    '%s',
    (_, reports, status, sent, delivered, seen, failed) => {
      const time = (seconds: number | null | undefined) => (seconds == null ? null : at(seconds));
      expect(mergeReports(reports)).toMatchObject({
        status,
        sentAt: time(sent),
        deliveredAt: time(delivered),
        seenAt: time(seen),
        failedAt: time(failed),
      });
    },
  );

  it('keeps the code of the earliest failure, without it after a late delivery', () => {
    const failures = [
      report('failed', 5, 'expired'),
      report('failed', 2, 'blocked'),
      report('failed', 2),
    ];
    expect(mergeReports(failures)?.code).toBe('blocked');
    expect(mergeReports([...failures, report('delivered', 9)])?.code).toBeNull();
  });

  it('is null without reports', () => {
    expect(mergeReports([])).toBeNull();
  });

  const anyReports = fc.array(
    fc.record({
      status: fc.constantFrom(...STATUSES),
      at: fc.integer({ min: 0, max: 3 }).map(at),
      code: fc.constantFrom(undefined, null, 'blocked', 'expired'),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const shuffled = anyReports.chain((reports) =>
    fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
  );

  it('is the same for every permutation', () => {
    fc.assert(
      fc.property(shuffled, ([reports, other]) => {
        expect(mergeReports(other)).toEqual(mergeReports(reports));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same for repeated reports', () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        expect(mergeReports([...reports, ...reports])).toEqual(mergeReports(reports));
      }),
    );
  });

  it('equals applying the statuses one by one', () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        const stored = reports.filter(({ status }) => status !== 'paused');
        fc.pre(stored.length > 0);
        const walked = stored
          .map(({ status }) => status)
          .reduce((from, to) => (canTransition(from, to) ? to : from));
        expect(mergeReports(stored)?.status).toBe(walked);
      }),
    );
  });
});
