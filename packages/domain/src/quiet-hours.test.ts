import prefixes from '../../../seeds/operators.csv?raw';
import ranges from '../../../seeds/ru-mobile-ranges.csv?raw';
import { expect, test } from 'vitest';
import { parseQuietItem, quietCountries } from './country-quiet-hours.ts';
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

const DAY = quietCountries(['DE 20:00-08:00', 'DE 2026-12-25', 'DE 2026-12-26', 'US 20:00-08:00']);
const ofCountry = (address: string, at: string, hours: QuietHours | null = null, countries = DAY) =>
  quietUntil(hours, new Date(at), operators, countries)(address)?.toISOString() ?? null;

test.each([
  ['in the window of its country', BERLIN, '2026-11-22T19:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  ['before it', BERLIN, '2026-11-22T18:59:00.000Z', null],
  // Two holidays, and the window in which the second one ends.
  ['on a holiday', BERLIN, '2026-12-25T11:00:00.000Z', '2026-12-27T07:00:00.000Z'],
  ['in the night before it', BERLIN, '2026-12-24T19:00:00.000Z', '2026-12-27T07:00:00.000Z'],
  ['of a country without a rule', '+37129123456', '2026-12-25T11:00:00.000Z', null],
  // 23:00 in New York; 8:00 in Honolulu.
  ['of several zones', NEW_YORK, '2026-11-23T04:00:00.000Z', '2026-11-23T18:00:00.000Z'],
  ['an e-mail', 'anna@example.com', '2026-12-25T11:00:00.000Z', null],
])('a number %s waits for its country alone', (_, address, at, until) => {
  expect(ofCountry(address, at)).toBe(until);
});

test('of the hours of the account and of the country the later end counts', () => {
  // Until 9:00 for the account, until 8:00 for the country.
  expect(ofCountry(BERLIN, '2026-11-22T20:30:00.000Z', NIGHT)).toBe('2026-11-23T08:00:00.000Z');
  const early = { ...NIGHT, until: 7 * 60 };
  expect(ofCountry(BERLIN, '2026-11-22T20:30:00.000Z', early)).toBe('2026-11-23T07:00:00.000Z');
  // The end of the one falls in the other.
  const morning = { ...NIGHT, from: 7 * 60, until: 12 * 60 };
  expect(ofCountry(BERLIN, '2026-11-22T19:30:00.000Z', morning)).toBe('2026-11-23T11:00:00.000Z');
});

test('an account that leaves no time which the country leaves waits for the country, and not for ever', () => {
  const day = { ...NIGHT, from: 8 * 60, until: 20 * 60 };
  const until = ofCountry(BERLIN, '2026-11-22T20:30:00.000Z', day)!;
  expect(until).toBe('2026-11-23T07:00:00.000Z');
  expect(ofCountry(BERLIN, until, day)).toBeNull();
});

test('holidays without an end are moved over a day at a time', () => {
  const days = Array.from({ length: 20 }, (_, i) => `DE 2027-01-${String(i + 1).padStart(2, '0')}`);
  const until = ofCountry(BERLIN, '2026-12-31T23:00:00.000Z', null, quietCountries(days));
  expect(until).toBe('2027-01-20T23:00:00.000Z');
});

test.each([
  ['DE 20:00-08:00', true],
  ['DE 2028-02-29', true],
  ['DE 2027-02-29', false],
  ['DE 24:00-08:00', false],
  ['EU 20:00-08:00', false],
  ['de 20:00-08:00', false],
  ['DE 20:00', false],
  ['?? 20:00-08:00', false],
])('%s is an item of a country: %s', (item, is) => {
  expect(parseQuietItem(item) !== null).toBe(is);
});
