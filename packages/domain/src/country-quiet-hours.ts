import { isCountry } from './countries.ts';

/** When bulks to numbers of a country wait, by the clock of the recipient. */
export interface CountryQuietHours {
  /** Minutes since midnight, as those of an account; null for none. */
  window: { from: number; until: number } | null;
  /** Days that are quiet as a whole, `2026-12-25`. */
  holidays: ReadonlySet<string>;
}
/** By code of ISO 3166-1 alpha-2. */
export type QuietCountries = ReadonlyMap<string, CountryQuietHours>;

export const NO_COUNTRIES: QuietCountries = new Map();

interface QuietItem {
  country: string;
  window?: { from: number; until: number };
  holiday?: string;
}

const ITEM = /^([A-Z]{2}) (?:(\d\d):([0-5]\d)-(\d\d):([0-5]\d)|(\d{4}-\d\d-\d\d))$/;

/** `DE 20:00-08:00` or `DE 2026-12-25`; null for anything else. The length of a window is a rule of its own. */
export function parseQuietItem(item: string): QuietItem | null {
  const found = ITEM.exec(item);
  if (!found || !isCountry(found[1]!)) return null;
  const [, country = '', fromHour, fromMinute, untilHour, untilMinute, holiday] = found;
  if (holiday) return isDay(holiday) ? { country, holiday } : null;
  if (Number(fromHour) > 23 || Number(untilHour) > 23) return null;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const until = Number(untilHour) * 60 + Number(untilMinute);
  return { country, window: { from, until } };
}

/** A day of the calendar: not the 30th of February. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Items that are none are left out. */
export function quietCountries(items: readonly string[]): QuietCountries {
  const countries = new Map<
    string,
    { window: CountryQuietHours['window']; holidays: Set<string> }
  >();
  for (const item of items) {
    const parsed = parseQuietItem(item);
    if (!parsed) continue;
    const { country, window, holiday } = parsed;
    const known = countries.get(country) ?? { window: null, holidays: new Set<string>() };
    countries.set(country, known);
    if (window) known.window = window;
    if (holiday) known.holidays.add(holiday);
  }
  return countries;
}
