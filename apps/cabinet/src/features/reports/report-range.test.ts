import { afterEach, expect, it, vi } from 'vitest';
import { rangeProblem, reportRange, valuesOf } from './report-range.ts';

afterEach(() => vi.unstubAllGlobals());

const now = Date.parse('2026-11-22T12:00:00Z');
const own = (from: string, to: string) => ({ period: 'own', from, to });

it('takes the last five minutes', () => {
  expect(reportRange({ period: '5m', from: '', to: '' }, now)).toEqual({
    $gt: '2026-11-22T11:54:59.999Z',
    $lt: '2026-11-22T12:00:00.000Z',
  });
});

it('ends where it starts when one time is entered, with that minute', () => {
  const at = '2026-11-20T10:00';
  const range = reportRange(own(at, ''), now)!;
  expect(range).toEqual(reportRange(own('', at), now));
  expect(Date.parse(range.$lt) - Date.parse(range.$gt)).toBe(60_001);
});

it('says what is wrong with a range', () => {
  expect(rangeProblem(own('', ''), now)).toBe('required');
  expect(rangeProblem(own('2026-11-20T10:00', '2026-11-19T10:00'), now)).toBe('reversed');
  expect(rangeProblem(own('2026-01-01T00:00', '2026-11-19T10:00'), now)).toBe('tooLong');
  expect(rangeProblem(own('2026-05-20T00:00', '2026-11-19T10:00'), now)).toBeNull();
});

it('takes over the period of a list', () => {
  expect(valuesOf('today', now)).toEqual({ period: 'today', from: '', to: '' });
  expect(valuesOf('', now).period).toBe('5m');
  expect(valuesOf('2026-11-01T10:00..2026-11-02T10:00', now)).toEqual(
    own('2026-11-01T10:00', '2026-11-02T09:59'),
  );
});

it('begins where that begins which a list without a period shows, for as long as a report may be', () => {
  expect(valuesOf('', now, '2026-11-01T09:15:30Z')).toEqual(
    own('2026-11-01T09:15', '2026-11-22T12:00'),
  );
  const old = valuesOf('', now, '2025-01-01T00:00:30Z');
  expect(old).toEqual(own('2025-01-01T00:00', '2025-07-06T00:00'));
  expect(rangeProblem(old, now)).toBeNull();
  expect(valuesOf('today', now, '2026-11-01T09:15:30Z').period).toBe('today');
});

it('reads and shows own times in the time zone of the user', () => {
  vi.stubGlobal('localStorage', { getItem: () => 'Pacific/Kiritimati' });
  expect(reportRange(own('2026-11-20T10:00', '2026-11-20T11:00'), now)).toEqual({
    $gt: '2026-11-19T19:59:59.999Z',
    $lt: '2026-11-19T21:01:00.000Z',
  });
  expect(valuesOf('2026-11-19T20:00:00Z..2026-11-19T21:01:00Z', now)).toEqual(
    own('2026-11-20T10:00', '2026-11-20T11:00'),
  );
});
