export interface UtmValues {
  url: string;
  source: string;
  medium: string;
  campaign: string;
  content: string;
  term: string;
}

/** Presets of a source; `custom` is typed. */
export const SOURCES = ['custom', 'google', 'yandex', 'vk'] as const;
export const MEDIUMS = ['sms', 'organic', 'cpc', 'email', 'social', 'banner', 'cpa'] as const;

export const NO_UTM: UtmValues = {
  url: '',
  source: '',
  medium: 'sms',
  campaign: '',
  content: '',
  term: '',
};

const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,6}(?=$|[/?#:])/u;

/** Without protocol, spaces, doubled slashes and ampersands; in lower case. */
function tidy(link: string): string {
  return link
    .replaceAll(/\s+/g, '')
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/&{2,}/g, '&')
    .toLowerCase();
}

export type UtmErrors = Partial<Record<keyof UtmValues, 'required' | 'domain'>>;

/** Specification, section 5: a domain with a zone of 2 to 6 letters; source, medium and campaign are needed. */
export function utmErrors(values: UtmValues): UtmErrors {
  const errors: UtmErrors = {};
  if (!values.url.trim()) errors.url = 'required';
  else if (!DOMAIN.test(tidy(values.url))) errors.url = 'domain';
  for (const field of ['source', 'medium', 'campaign'] as const)
    if (!values[field].trim()) errors[field] = 'required';
  return errors;
}

/** The link with its marks. A mark that is there already is replaced; what stands behind `#` stays last. */
export function utmLink(values: UtmValues): string {
  const [address = '', hash] = tidy(values.url).split('#', 2);
  const [base, query = ''] = address.split('?', 2) as [string, string?];
  const kept = query.split('&').filter((pair) => pair && !pair.startsWith('utm_'));
  const marks = (['source', 'medium', 'campaign', 'content', 'term'] as const)
    .filter((field) => values[field].trim())
    .map((field) => `utm_${field}=${encodeURIComponent(values[field].trim().toLowerCase())}`);
  return `${base}?${[...kept, ...marks].join('&')}${hash ? `#${hash}` : ''}`;
}

/** Capitals behind the domain may matter to the site, and the link is written in lower case. */
export const losesCapitals = (url: string): boolean =>
  /\p{Lu}/u.test(url.replace(/^[a-z]+:\/\//i, '').replace(/^[^/?#]*/, ''));
