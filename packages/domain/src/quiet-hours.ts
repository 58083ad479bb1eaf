import { findOperator, type OperatorTable } from './operators.ts';
import { phoneCountry } from './phones.ts';
import { offsetAt, zoned } from './local-times.ts';
import {
  NO_COUNTRIES,
  type CountryQuietHours,
  type QuietCountries,
} from './country-quiet-hours.ts';
import { isSuppressible } from './opt-outs.ts';
import type { TrafficGroup } from './traffic.ts';
import type { SendingType } from './types.ts';

/** Hours in which an account's messages wait, by the clock of the recipient. */
export interface QuietHours {
  /** Minutes since midnight. A window that ends before it starts crosses midnight. */
  from: number;
  until: number;
  groups: readonly TrafficGroup[];
  /** Whether single messages wait, too. */
  singles: boolean;
  /** For recipients whose time zone is not known. */
  timeZone: string;
}

export const DAY_MINUTES = 1440;
/** So that there is time left to send in. */
export const MAX_QUIET_MINUTES = 1200;

/** `quietMinutes({ from: 1260, until: 540 })` is 720: from 21:00 to 9:00. */
export const quietMinutes = ({ from, until }: Pick<QuietHours, 'from' | 'until'>): number =>
  (until - from + DAY_MINUTES) % DAY_MINUTES;

/** Whether messages of this kind wait. Codes and checks of numbers, and single messages of the group `service`, never do. */
export const waitsInQuietHours = (
  hours: QuietHours,
  { type, group, isBulk }: { type: SendingType; group: TrafficGroup; isBulk: boolean },
): boolean =>
  isSuppressible(type) &&
  hours.groups.includes(group) &&
  (isBulk || (hours.singles && group !== 'service'));

/** Regions of the register of numbering by the beginning of their name; the others have the time of Moscow. */
const REGIONS: [zone: string, names: string[]][] = [
  ['Europe/Kaliningrad', ['Калининградская']],
  ['Europe/Samara', ['Самарская', 'Удмуртская']],
  ['Europe/Saratov', ['Саратовская']],
  ['Europe/Ulyanovsk', ['Ульяновская']],
  ['Europe/Astrakhan', ['Астраханская']],
  [
    'Asia/Yekaterinburg',
    [
      'Свердловская',
      'Челябинская',
      'Ханты-Мансийский',
      'Тюменская',
      'Республика Башкортостан',
      'Пермский',
      'Оренбургская',
      'Ямало-Ненецкий',
      'Курганская',
    ],
  ],
  ['Asia/Omsk', ['Омская']],
  ['Asia/Novosibirsk', ['Новосибирская']],
  ['Asia/Barnaul', ['Алтайский', 'Республика Алтай']],
  ['Asia/Tomsk', ['Томская']],
  ['Asia/Novokuznetsk', ['Кемеровская']],
  ['Asia/Krasnoyarsk', ['Красноярский', 'Республика Хакасия', 'Республика Тыва']],
  ['Asia/Irkutsk', ['Иркутская', 'Республика Бурятия']],
  ['Asia/Chita', ['Забайкальский']],
  ['Asia/Yakutsk', ['Амурская', 'Республика Саха']],
  ['Asia/Vladivostok', ['Приморский', 'Хабаровский', 'Еврейская']],
  ['Asia/Magadan', ['Магаданская']],
  ['Asia/Sakhalin', ['Сахалинская']],
  ['Asia/Kamchatka', ['Камчатский']],
  ['Asia/Anadyr', ['Чукотский']],
];
const MOSCOW = ['Europe/Moscow'];

const byRegion = new Map<string, readonly string[]>();
const byCountry = new Map<string, readonly string[]>();

function zonesOfRegion(region: string): readonly string[] {
  let zones = byRegion.get(region);
  if (!zones) {
    const found = REGIONS.find(([, names]) => names.some((name) => region.startsWith(name)));
    byRegion.set(region, (zones = found ? [found[0]] : MOSCOW));
  }
  return zones;
}

/** A property in older engines, a method in newer ones. */
type ZonedLocale = Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] };

function zonesOfCountry(country: string): readonly string[] {
  let zones = byCountry.get(country);
  if (!zones) {
    const locale = new Intl.Locale(`und-${country}`) as ZonedLocale;
    // Of the largest country most people have one time; the regions of its numbers are known otherwise.
    zones = country === 'RU' ? MOSCOW : (locale.getTimeZones?.() ?? locale.timeZones ?? []);
    byCountry.set(country, zones);
  }
  return zones;
}

/**
 * Time zones in which the owner of a number may be: one by the region of a Russian number, else all of its country. Empty if
 * the country is not known, and for an e-mail address.
 */
export const zonesOf = (address: string, operators: OperatorTable): readonly string[] =>
  placeOf(address, operators).zones;

/** The country of a number, and the time zones in which its owner may be. */
function placeOf(
  address: string,
  operators: OperatorTable,
): { country: string | null; zones: readonly string[] } {
  if (!address.startsWith('+')) return { country: null, zones: [] };
  const operator = findOperator(operators, address);
  const country = operator?.country ?? phoneCountry(address);
  if (operator?.region && country === 'RU')
    return { country, zones: zonesOfRegion(operator.region) };
  return { country, zones: country ? zonesOfCountry(country) : [] };
}

const MINUTE = 60_000;

interface Window {
  from: number;
  until: number;
}

/** The end of a window that a time falls in, in one time zone; null if it falls in none. */
function endIn({ from, until }: Window, at: number, timeZone: string): number | null {
  const local = new Date(at + offsetAt(at, timeZone));
  const minutes = local.getUTCHours() * 60 + local.getUTCMinutes();
  const isQuiet =
    from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
  if (!isQuiet) return null;
  return clockAfter(local, from > until && minutes >= from ? 1 : 0, until, at, timeZone);
}

/** The end of the holidays that a time falls in, in one time zone; null if it falls in none. */
function endOfHolidays(holidays: ReadonlySet<string>, at: number, timeZone: string): number | null {
  if (!holidays.size) return null;
  const local = new Date(at + offsetAt(at, timeZone));
  const dayIn = (days: number) =>
    new Date(
      Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days),
    ).toISOString();
  let days = 0;
  while (holidays.has(dayIn(days).slice(0, 10))) days++;
  return days ? clockAfter(local, days, 0, at, timeZone) : null;
}

/** The minute of a day, so many days after a local time. */
function clockAfter(
  local: Date,
  days: number,
  minute: number,
  at: number,
  timeZone: string,
): number {
  const day = new Date(
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days),
  );
  const date = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
  // Where the clocks skip or repeat the end, the minute after is not earlier than now.
  return Math.max(zoned(date, 0, timeZone, minute), at + MINUTE);
}

/** The latest end of what a time falls in; null if it falls in nothing. */
type EndOf = (at: number) => number | null;

const latest = (ends: (number | null)[]): number | null => {
  const found = ends.filter((end) => end !== null);
  return found.length ? Math.max(...found) : null;
};

const windowEnd =
  (window: Window, zones: readonly string[]): EndOf =>
  (at) =>
    latest(zones.map((zone) => endIn(window, at, zone)));

const countryEnd =
  ({ window, holidays }: CountryQuietHours, zones: readonly string[]): EndOf =>
  (at) =>
    latest(
      zones.flatMap((zone) => [
        window && endIn(window, at, zone),
        endOfHolidays(holidays, at, zone),
      ]),
    );

/** So often a time moves to the end of what it falls in: hours that are further apart leave no time to send in. */
const MAX_MOVES = 6;

/** The first time from `at` on that falls in nothing: `at` itself, or null if none is found. */
function freeFrom(endOf: EndOf, at: number): number | null {
  let time = at;
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const end = endOf(time);
    if (end === null) return time;
    time = end;
  }
  return null;
}

/**
 * The first time that is quiet neither for the account nor for the country, in none of the zones. Where there is none, zones are too far apart
 * or the account leaves no time that the country leaves: then the first zone counts, and the country alone.
 */
function freeTime(
  account: QuietHours | null,
  country: CountryQuietHours | undefined,
  zones: readonly string[],
  at: number,
): number {
  const inZones = (some: readonly string[], own: QuietHours | null): EndOf => {
    const ends = [
      ...(own ? [windowEnd(own, some)] : []),
      ...(country ? [countryEnd(country, some)] : []),
    ];
    return (time) => latest(ends.map((endOf) => endOf(time)));
  };
  const first = zones.slice(0, 1);
  return (
    freeFrom(inZones(zones, account), at) ??
    freeFrom(inZones(first, account), at) ??
    freeFrom(inZones(first, country ? null : account), at) ??
    at
  );
}

/** When a message to an address may be sent; null: at once. */
export type QuietUntil = (address: string) => Date | null;

/**
 * Messages of one time and one account, null if it has no quiet hours; where those of the country apply, too, the later end counts. The end is
 * computed once for each place.
 * `quietUntil({ from: 1260, until: 540, ... }, new Date('2026-11-22T20:00Z'), operators)('+79161234567')` is 9:00 in Moscow.
 */
export function quietUntil(
  hours: QuietHours | null,
  at: Date,
  operators: OperatorTable,
  countries: QuietCountries = NO_COUNTRIES,
): QuietUntil {
  const ends = new Map<string, Date | null>();
  return (address) => {
    const place = placeOf(address, operators);
    const ofCountry = place.country === null ? undefined : countries.get(place.country);
    if (!hours && !ofCountry) return null;
    const zones = place.zones.length ? place.zones : hours ? [hours.timeZone] : ['UTC'];
    const key = `${ofCountry ? place.country : ''} ${zones.join(' ')}`;
    let end = ends.get(key);
    if (end === undefined) {
      const time = freeTime(hours, ofCountry, zones, at.getTime());
      ends.set(key, (end = time === at.getTime() ? null : new Date(time)));
    }
    return end;
  };
}
