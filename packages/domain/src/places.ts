/** A place of a visit. Cities have no translations: the geocoder's data set has one Latin name of each. */
export interface KnownPlace {
  city?: string | null;
  country?: string | null;
  isoCode?: string | null;
}

/** `Kazan, Russia`: the city, and the country in a language where its code is known. Empty for no place. */
export function placeText(locale: string, { city, country, isoCode }: KnownPlace): string {
  const isCode = isoCode && /^[A-Z]{2}$/.test(isoCode);
  const name = isCode ? new Intl.DisplayNames(locale, { type: 'region' }).of(isoCode) : country;
  return [city, name].filter(Boolean).join(', ');
}
