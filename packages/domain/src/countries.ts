const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether it is a code of ISO 3166-1 alpha-2, or XK: `GB` is one; `UK`, `XX` and `EU` are not, and no number or network is there. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.has(code)) return false;
  // Former and other codes are replaced: UK by GB.
  return new Intl.Locale(`und-${code}`).region === code && REGIONS.of(code) !== undefined;
}

/** Regions that have a name and no numbers: groups of countries, pseudo-locales and places without people. */
const NOT_COUNTRIES = new Set([
  'EU',
  'EZ',
  'UN',
  'QO',
  'XA',
  'XB',
  'ZZ',
  'AQ',
  'BV',
  'CP',
  'CQ',
  'DG',
  'EA',
  'HM',
  'IC',
]);
