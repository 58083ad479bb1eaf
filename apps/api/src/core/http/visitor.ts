import { LOCALES, type Locale } from '@heliograph/domain';
import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** The client of a request. */
export interface Visitor {
  ip: string;
  /** The key of rate limits. */
  network: string;
  useragent: string;
  cookies?: string;
}

/** The client of a request or of a socket that may use an API token. */
export type TokenClient = Pick<Visitor, 'ip' | 'network' | 'useragent'> & { requestId?: string };

export function visitorOf(request: Request): Visitor {
  const ip = request.ip ?? '';
  return {
    ip,
    network: networkOf(ip),
    useragent: String(request.headers['user-agent'] ?? '').slice(0, 500),
    cookies: request.headers.cookie,
  };
}

/** `request.ip` for a request that does not pass through Express. `hops` proxies are trusted. */
export function addressOf(request: IncomingMessage, hops: number): string {
  return proxyAddr(request, (_address, index) => index < hops) ?? '';
}

/** The requested locale, or that of the browser. */
export function localeOf(request: Request, requested?: Locale): Locale {
  return requested ?? ((request.acceptsLanguages([...LOCALES]) || 'en') as Locale);
}

/**
 * The network by which clients are counted: an IPv4 address, also in the form `::ffff:1.2.3.4`, or the /64 of an IPv6
 * address, since a client usually has a whole /64: `2001:db8:0:1::5` is `2001:db8:0:1::/64`.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
