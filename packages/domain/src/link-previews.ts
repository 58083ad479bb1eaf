/** What a visit of a short link says about itself, by the names of its headers in lower case. */
export type VisitHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Parts of user agents, in lower case, of what people read pages with: each browser of today calls itself Mozilla, Opera Mini may
 * call itself Opera, phones of old name their Java or WAP, and some browsers are of text. Any other is of a program: `node`, `Ruby`,
 * `curl/8.5.0`.
 */
const BROWSERS = [
  'mozilla/',
  'opera',
  'browser',
  'ucweb',
  'midp',
  'cldc',
  'wap',
  'obigo',
  'teleca',
  'netfront',
  'docomo/',
  'softbank/',
  'kddi-',
  'blackberry',
  'nokia',
  'lynx/',
  'links (',
  'links/',
  'w3m/',
  'dillo/',
  'netsurf/',
] as const;

/**
 * Parts of the user agents, in lower case, of programs that open links before or without a person though they may call themselves
 * browsers: previews of messengers and networks, scanners of mail and of phones, search engines, and programs of developers.
 */
const PROGRAMS = [
  'whatsapp',
  'telegrambot',
  'viber',
  'slackbot',
  'slack-imgproxy',
  'facebookexternalhit',
  'facebot',
  'facebookcatalog',
  'meta-externalagent',
  'meta-externalfetcher',
  'twitterbot',
  'linkedinbot',
  'pinterestbot',
  'redditbot',
  'discordbot',
  'skypeuripreview',
  'microsoftpreview',
  'bingpreview',
  'web preview',
  'mastodon/',
  'ms-office',
  'microsoft office/',
  'microsoft-cryptoapi',
  'teams/',
  'vkshare',
  'line-poker',
  'kakaotalk-scrap',
  'snapchat',
  'iframely',
  'embedly',
  'bitlybot',
  'google-safety',
  'google-read-aloud',
  'googleimageproxy',
  'google-inspectiontool',
  'googleother',
  'apis-google',
  'mediapartners-google',
  'feedfetcher-google',
  'google-pagerenderer',
  'yahoomailproxy',
  'yahoo! slurp',
  'safelinks',
  'proofpoint',
  'barracuda',
  'mimecast',
  'trendmicro',
  'symantec',
  'messagelabs',
  'forcepoint',
  'zscaler',
  'cisco-ironport',
  'urldefense',
  'virustotal',
  'kaspersky',
  'fortiguard',
  'fortinet',
  'sophos',
  'bitdefender',
  'mcafee',
  'trellix',
  'fireeye',
  'cloudmark',
  'palo alto networks',
  'censysinspect',
  'drweb',
  'lighthouse',
  'headlesschrome',
  'phantomjs',
  'okhttp/',
  'cfnetwork/',
  'winhttp',
  'powershell/',
  'indy library',
  'jsdom/',
  'scrapy',
  'zgrab',
  'crawler',
  'spider',
] as const;

/** A name that ends in "bot": Googlebot, bingbot, YandexBot, Applebot. Not a phone such as Cubot. */
const BOT = /(?<![a-z])(?!cubot)[a-z-]{0,30}bot(?![a-z])/;

/** What says no more than that it is compatible, as no browser of today does. */
const COMPATIBLE = /^mozilla\/\d\.\d{1,2}(?:$| \(compatible(?!; (?:msie|konqueror)))/;

/** The in-app browsers of messengers name them, too, within the user agent of a browser. */
const WITHIN = /^mozilla\/5\.0 .{0,500}(?:mobile\/|version\/|chrome\/|firefox\/)/;
/** Messengers whose name a browser within them has, and which their previews have alone or at the beginning. */
const MESSENGERS: ReadonlySet<string> = new Set(['whatsapp', 'viber', 'snapchat', 'teams/']);

const MAX_USER_AGENT = 1000;

/** A browser that loads a page before the person follows the link: `prefetch`, `prefetch;prerender`, `preview`. */
const PURPOSE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const PURPOSE = /\b(?:prefetch|prerender|preview)\b/i;

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '');

/**
 * Whether a visit of a link is not a click of a person: a HEAD, a browser that loads in advance, or a program that shows or checks
 * links. A visit without a user agent is one of a program. Apple's previews call themselves facebookexternalhit and Twitterbot.
 */
export function isPreview(method: string, headers: VisitHeaders): boolean {
  if (method === 'HEAD') return true;
  if (PURPOSE_HEADERS.some((name) => PURPOSE.test(textOf(headers[name]).slice(0, 100))))
    return true;
  const agent = textOf(headers['user-agent']).slice(0, MAX_USER_AGENT).toLowerCase();
  if (agent.trim() === '' || BOT.test(agent) || COMPATIBLE.test(agent)) return true;
  if (!BROWSERS.some((part) => agent.includes(part))) return true;
  const isWithin = WITHIN.test(agent);
  return PROGRAMS.some(
    (program) => agent.includes(program) && !(isWithin && MESSENGERS.has(program)),
  );
}
