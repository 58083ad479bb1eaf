import { findOperator, type OperatorTable } from './operators.ts';
import { phoneCountry } from './phones.ts';
import { offsetAt, zoned } from './local-times.ts';
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
export function zonesOf(address: string, operators: OperatorTable): readonly string[] {
  if (!address.startsWith('+')) return [];
  const operator = findOperator(operators, address);
  if (operator?.region && operator.country === 'RU') return zonesOfRegion(operator.region);
  const country = operator?.country ?? phoneCountry(address);
  return country ? zonesOfCountry(country) : [];
}

const MINUTE = 60_000;

/** The end of the quiet hours that a time falls in, in one time zone; null if it falls in none. */
function endIn(hours: QuietHours, at: number, timeZone: string): number | null {
  const local = new Date(at + offsetAt(at, timeZone));
  const minutes = local.getUTCHours() * 60 + local.getUTCMinutes();
  const { from, until } = hours;
  const isQuiet =
    from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
  if (!isQuiet) return null;
  const isTomorrow = from > until && minutes >= from;
  const day = new Date(
    Date.UTC(
      local.getUTCFullYear(),
      local.getUTCMonth(),
      local.getUTCDate() + (isTomorrow ? 1 : 0),
    ),
  );
  const date = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
  const end = zoned(date, 0, timeZone, until);
  // Where the clocks skip or repeat the end, the minute after is not earlier than now.
  return Math.max(end, at + MINUTE);
}

/** More zones than this are too far apart for the same hours: the first one counts. */
const MAX_MOVES = 6;

/** The first time from `at` on that is quiet in none of the zones; null if `at` is. */
function endInAll(hours: QuietHours, at: number, zones: readonly string[]): number | null {
  let time = at;
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const ends = zones.map((zone) => endIn(hours, time, zone)).filter((end) => end !== null);
    if (!ends.length) return time === at ? null : time;
    time = Math.max(...ends);
  }
  return endIn(hours, at, zones[0]!);
}

/** When a message to an address may be sent; null: at once. */
export type QuietUntil = (address: string) => Date | null;

/**
 * Messages of one time and one account. The end is computed once for each time zone.
 * `quietUntil({ from: 1260, until: 540, ... }, new Date('2026-11-22T20:00Z'), operators)('+79161234567')` is 9:00 in Moscow.
 */
export function quietUntil(hours: QuietHours, at: Date, operators: OperatorTable): QuietUntil {
  const ends = new Map<string, Date | null>();
  return (address) => {
    const found = zonesOf(address, operators);
    const zones = found.length ? found : [hours.timeZone];
    const key = zones.join(' ');
    let end = ends.get(key);
    if (end === undefined) {
      const time = endInAll(hours, at.getTime(), zones);
      ends.set(key, (end = time === null ? null : new Date(time)));
    }
    return end;
  };
}
