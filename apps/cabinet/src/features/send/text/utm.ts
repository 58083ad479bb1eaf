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

/** Letters of India and others have marks. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
/** A zone of letters, or one in punycode. Longer than the six letters of the specification: `.online`, `.भारत`, `.xn--p1ai`. */
const ZONE = /^(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z\d](?:[a-z\d-]{0,57}[a-z\d])?)$/iu;

const PROTOCOL = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/** As a browser sends it: without spaces, and with composed letters. */
const typed = (link: string): string => link.replaceAll(/\s+/g, '').toWellFormed().normalize();

/** Without protocol, spaces, doubled slashes of the path and ampersands; in lower case. A link within a path or a query stays whole. */
function tidy(link: string): string {
  const bare = typed(link).replace(PROTOCOL, '');
  const path = bare.slice(0, bare.search(/[?#]|$/));
  const rest = bare.slice(path.length);
  return (path.replaceAll(/(?<!:)\/{2,}/g, '/') + rest.replaceAll(/&{2,}/g, '&')).toLowerCase();
}

function startsWithDomain(link: string): boolean {
  const [domain = ''] = link.split(/[/?#:]/, 1);
  const labels = domain.split('.');
  return ZONE.test(labels.pop()!) && labels.length > 0 && labels.every((one) => LABEL.test(one));
}

export type UtmErrors = Partial<Record<keyof UtmValues, 'required' | 'domain'>>;

/** Specification, section 5: it begins with a domain; source, medium and campaign are needed. */
export function utmErrors(values: UtmValues): UtmErrors {
  const errors: UtmErrors = {};
  if (!values.url.trim()) errors.url = 'required';
  else if (!startsWithDomain(tidy(values.url))) errors.url = 'domain';
  for (const field of ['source', 'medium', 'campaign'] as const)
    if (!values[field].trim()) errors[field] = 'required';
  return errors;
}

/** The link with its marks, as it is written into a text: without a protocol, in lower case. */
export const utmLink = (values: UtmValues): string => withMarks(tidy(values.url), values);

/** Where a short link leads: the page as it was named, capitals and all, with the same marks. */
export function utmTarget(values: UtmValues): string {
  const url = typed(values.url);
  const protocol = /^http:/i.test(url) ? 'http' : 'https';
  return `${protocol}://${withMarks(url.replace(PROTOCOL, ''), values)}`;
}

/** What is before the first separator, and all that is after it. */
function cutAt(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Existing UTM parameters are replaced. Values have no spaces, and their escapes are in lower case. The fragment stays last. */
function withMarks(link: string, values: UtmValues): string {
  const [address, hash] = cutAt(link, '#');
  const [base, query] = cutAt(address, '?');
  const kept = query.split('&').filter((pair) => pair && !/^utm_/i.test(pair));
  const marks = (['source', 'medium', 'campaign', 'content', 'term'] as const)
    .map((field) => [field, typed(values[field])] as const)
    .filter(([, value]) => value)
    .map(
      ([field, value]) => `utm_${field}=${encodeURIComponent(value.toLowerCase()).toLowerCase()}`,
    );
  return `${base}?${[...kept, ...marks].join('&')}${hash ? `#${hash}` : ''}`;
}

/** Capitals behind the domain may matter to the site, and the link is written in lower case. */
export const losesCapitals = (url: string): boolean =>
  /\p{Lu}/u.test(url.replace(/^[a-z]+:\/\//i, '').replace(/^[^/?#]*/, ''));
