import Bowser from 'bowser';

export interface Client {
  /** `Chrome 141` */
  browser: string | null;
  /** `Windows 10` */
  system: string | null;
  device: 'desktop' | 'mobile' | 'tablet' | 'other';
}

/** Longer ones are not of browsers. */
const MAX_LENGTH = 500;
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));
const DEVICES = ['desktop', 'mobile', 'tablet'] as const;

/**
 * The browser and the system of a `User-Agent`. Only known names and version numbers are taken over: the header is the
 * client's, and the result is shown in e-mails.
 */
export function clientOf(useragent: string): Client {
  if (!useragent || useragent.length > MAX_LENGTH)
    return { browser: null, system: null, device: 'other' };
  const { browser, os, platform } = Bowser.parse(useragent);
  return {
    browser: named(BROWSERS, browser.name, majorOf(browser.version)),
    system: named(SYSTEMS, os.name, os.versionName ?? shortOf(os.version)),
    device: DEVICES.find((type) => type === platform.type) ?? 'other',
  };
}

/** `Chrome 141, Windows 10`; null if neither is known. */
export function clientText({ browser, system }: Client): string | null {
  return [browser, system].filter(Boolean).join(', ') || null;
}

/** Browsers keep the cookie of a device. Other clients call themselves otherwise. */
export const isBrowser = (useragent: string): boolean => useragent.startsWith('Mozilla/');

function named(known: Set<string>, name: string | undefined, version: string): string | null {
  if (!name || !known.has(name)) return null;
  return /^[\w. ]{1,20}$/.test(version) ? `${name} ${version}` : name;
}

const majorOf = (version = ''): string => version.split('.', 1)[0]!;
const shortOf = (version = ''): string => version.split('.', 2).join('.');
