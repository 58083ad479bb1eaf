import { describe, expect, it } from 'vitest';
import { canAdvanceWapi, nextWapiPeriod, wapiRemovalAt, wapiTransition } from './wapi.ts';

const at = (text: string) => new Date(`${text}T10:00:00Z`);

describe('transitions', () => {
  it.each([
    ['undefined', 'created', 'notAuthorized'],
    ['undefined', 'authorized', null],
    ['notAuthorized', 'authorized', 'authorized'],
    ['notAuthorized', 'sleep', null],
    ['authorized', 'sleep', 'sleep'],
    ['authorized', 'notAuthorized', 'notAuthorized'],
    ['authorized', 'authorized', null],
    ['sleep', 'authorized', 'authorized'],
    ['sleep', 'lost', 'undefined'],
    ['authorized', 'removed', 'deleted'],
    ['deleted', 'authorized', null],
    ['deleted', 'created', null],
  ] as const)('%s, %s: %s', (state, event, next) => {
    expect(wapiTransition(state, event)).toBe(next);
  });
});

describe('months', () => {
  const paid = {
    anchor: at('2026-01-31'),
    timeZone: 'UTC',
    expiredAt: at('2026-02-28'),
    isPaid: true,
  };

  it('a new instance begins now', () => {
    expect(nextWapiPeriod(null, at('2026-01-31'), 'Asia/Tokyo')).toEqual({
      anchor: at('2026-01-31'),
      timeZone: 'Asia/Tokyo',
      startsAt: at('2026-01-31'),
      endsAt: at('2026-02-28'),
    });
  });

  it('follow each other on the day of the anchor, also if the worker is late or the month is paid in advance', () => {
    for (const now of ['2026-02-10', '2026-02-28', '2026-03-02'])
      expect(nextWapiPeriod(paid, at(now), 'Asia/Tokyo')).toEqual({
        anchor: at('2026-01-31'),
        timeZone: 'UTC',
        startsAt: at('2026-02-28'),
        endsAt: at('2026-03-31'),
      });
  });

  it.each([
    ['was not paid', { ...paid, isPaid: false }, '2026-03-02'],
    ['ended long ago', paid, '2026-03-10'],
  ])('begin anew after a lapse: one that %s', (_, former, now) => {
    expect(nextWapiPeriod(former, at(now), 'Asia/Tokyo')).toMatchObject({
      startsAt: at(now),
      anchor: at(now),
      timeZone: 'Asia/Tokyo',
    });
  });

  it('are paid for up to a year in advance', () => {
    expect(canAdvanceWapi(at('2026-11-20'), at('2026-01-01'))).toBe(true);
    expect(canAdvanceWapi(at('2026-12-20'), at('2026-01-01'))).toBe(false);
  });

  it('the removal follows seven days after the end', () => {
    expect(wapiRemovalAt(at('2026-02-28'))).toEqual(at('2026-03-07'));
  });
});
