import prefixes from '../../../seeds/operators.csv?raw';
import ranges from '../../../seeds/ru-mobile-ranges.csv?raw';
import { expect, test } from 'vitest';
import { parseOperators } from './operators.ts';
import {
  quietMinutes,
  quietUntil,
  waitsInQuietHours,
  zonesOf,
  type QuietHours,
} from './quiet-hours.ts';

const operators = parseOperators(prefixes, ranges);
const NIGHT: QuietHours = {
  from: 21 * 60,
  until: 9 * 60,
  groups: ['advertising'],
  singles: false,
  timeZone: 'Europe/Berlin',
};
const end = (address: string, at: string, hours = NIGHT) =>
  quietUntil(hours, new Date(at), operators)(address)?.toISOString() ?? null;

const BERLIN = '+4915112345678';
const NEW_YORK = '+12125550123';

test.each([
  // 20:59, 21:00, 8:59 and 9:00 in Berlin, where it is UTC+1.
  ['2026-11-22T19:59:00.000Z', null],
  ['2026-11-22T20:00:00.000Z', '2026-11-23T08:00:00.000Z'],
  ['2026-11-23T07:59:00.000Z', '2026-11-23T08:00:00.000Z'],
  ['2026-11-23T08:00:00.000Z', null],
  // The clocks change in the night: it ends at 9:00 all the same.
  ['2026-10-24T20:00:00.000Z', '2026-10-25T08:00:00.000Z'],
  ['2026-03-28T21:00:00.000Z', '2026-03-29T07:00:00.000Z'],
  ['2026-12-31T22:00:00.000Z', '2027-01-01T08:00:00.000Z'],
])('a window over midnight at %s', (at, until) => {
  expect(end(BERLIN, at)).toBe(until);
});

test('a window within a day', () => {
  const noon = { ...NIGHT, from: 12 * 60, until: 14 * 60 + 30 };
  expect(end(BERLIN, '2026-11-22T12:00:00.000Z', noon)).toBe('2026-11-22T13:30:00.000Z');
  expect(end(BERLIN, '2026-11-22T20:00:00.000Z', noon)).toBeNull();
});

test('a window that ends in an hour that the clocks skip', () => {
  const short = { ...NIGHT, from: 23 * 60, until: 2 * 60 + 30 };
  const until = end(BERLIN, '2026-03-28T23:00:00.000Z', short)!;
  expect(Date.parse(until)).toBeGreaterThan(Date.parse('2026-03-29T00:30:00.000Z'));
  expect(Date.parse(until)).toBeLessThanOrEqual(Date.parse('2026-03-29T01:30:00.000Z'));
});

test('a Russian number has the time of its region', () => {
  const regions = new Map<string, string>();
  for (const [i, operator] of operators.operators.entries())
    if (operator?.region) regions.set(operator.region, `+${operators.starts[i]}`.slice(0, 12));
  const zone = (beginning: string) => {
    const [, phone] = [...regions].find(([region]) => region.startsWith(beginning))!;
    return zonesOf(phone, operators)[0];
  };
  expect(zone('г. Москва')).toBe('Europe/Moscow');
  expect(zone('Свердловская')).toBe('Asia/Yekaterinburg');
  expect(zone('Камчатский')).toBe('Asia/Kamchatka');
  expect(zone('Республика Саха')).toBe('Asia/Yakutsk');
  expect(zone('Республика Алтай')).toBe('Asia/Barnaul');
  expect(zone('Республика Татарстан')).toBe('Europe/Moscow');
});

test('in a country of several time zones a message waits until it is day in all of them', () => {
  expect(zonesOf(NEW_YORK, operators).length).toBeGreaterThan(5);
  // 9:00 in New York, and 4:00 in Honolulu.
  const until = end(NEW_YORK, '2026-11-22T14:00:00.000Z')!;
  expect(Date.parse(until)).toBeGreaterThanOrEqual(Date.parse('2026-11-22T19:00:00.000Z'));
});

test('hours that never fit all zones count for the first one', () => {
  const long = { ...NIGHT, from: 11 * 60, until: 7 * 60 };
  expect(end(NEW_YORK, '2026-11-22T14:00:00.000Z', long)).toBe('2026-11-22T17:00:00.000Z');
});

test('an e-mail address has the time zone of the settings', () => {
  expect(end('anna@example.com', '2026-11-22T20:00:00.000Z')).toBe('2026-11-23T08:00:00.000Z');
});

test('what waits', () => {
  const message = { type: 'sms', group: 'advertising', isBulk: true } as const;
  expect(waitsInQuietHours(NIGHT, message)).toBe(true);
  expect(waitsInQuietHours(NIGHT, { ...message, isBulk: false })).toBe(false);
  expect(waitsInQuietHours({ ...NIGHT, singles: true }, { ...message, isBulk: false })).toBe(true);
  expect(waitsInQuietHours(NIGHT, { ...message, group: 'transactional' })).toBe(false);
  expect(waitsInQuietHours(NIGHT, { ...message, type: 'flashcall' })).toBe(false);
  const all: QuietHours = { ...NIGHT, groups: ['service', 'advertising'], singles: true };
  expect(waitsInQuietHours(all, { ...message, group: 'service' })).toBe(true);
  expect(waitsInQuietHours(all, { ...message, group: 'service', isBulk: false })).toBe(false);
  expect([quietMinutes(NIGHT), quietMinutes({ from: 60, until: 60 })]).toEqual([720, 0]);
});
