import { LOCALES, type Locale } from '@heliograph/domain';
import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Where a call came from, and with what. */
export interface Visitor {
  ip: string;
  /** What limits count by. */
  network: string;
  useragent: string;
  cookies?: string;
}

export function visitorOf(request: Request): Visitor {
  const ip = request.ip ?? '';
  return {
    ip,
    network: networkOf(ip),
    useragent: String(request.headers['user-agent'] ?? '').slice(0, 500),
    cookies: request.headers.cookie,
  };
}

/** What `request.ip` is to Express, of a request that it does not see: `hops` proxies in front are trusted. */
export function addressOf(request: IncomingMessage, hops: number): string {
  return proxyAddr(request, (_address, index) => index < hops) ?? '';
}

/** The language that was asked for, else the browser's. */
export function localeOf(request: Request, asked?: Locale): Locale {
  return asked ?? ((request.acceptsLanguages([...LOCALES]) || 'en') as Locale);
}

/**
 * An address by which to count a visitor. Whoever has one of IPv6 has 2^64 of them: `2001:db8:0:1::5` is `2001:db8:0:1::/64`.
 * An IPv4 address is itself, also when it comes as `::ffff:1.2.3.4`.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
