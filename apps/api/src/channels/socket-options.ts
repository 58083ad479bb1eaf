import { z } from 'zod';

import { certificateIn, isCertificate } from './certificates.ts';
import { publicOption } from './options.ts';

/** Ports by protocol, also of the same over TLS: those of SMPP as IANA has them, those of mail by RFC 8314, section 7.3. */
const PORTS: Record<string, number> = {
  'smpp:': 2775,
  'smpps:': 3550,
  'smtp:': 587,
  'smtps:': 465,
};

/** The address of a carrier that takes connections: `smpp://host:port`, or `smpps://host:port` for TLS from the first byte. */
export const socketUrl = (protocol: 'smpp' | 'smtp') =>
  publicOption(
    z
      .url({
        protocol: new RegExp(`^${protocol}s?$`),
        error: `This is no address ${protocol}://host:port.`,
        abort: true,
      })
      .refine(isAddressAlone, 'The address has a host and a port, and nothing more.'),
  );

function isAddressAlone(url: string): boolean {
  const { hostname, username, password, pathname, search, hash } = new URL(url);
  return !!hostname && !username && !password && !pathname.replace('/', '') && !search && !hash;
}

export const integerOption = (min: number, max: number, preset: number) =>
  publicOption(z.number().int().min(min).max(max).default(preset));

/** Whose certificates are trusted, and for which name. */
export const certificateOptions = {
  ca: publicOption(
    z.string().max(32_000).refine(isCertificate, 'This is no certificate in PEM.').optional(),
    'lines',
  ),
  serverName: publicOption(
    z
      .string()
      .regex(/^[\w.-]{1,253}$/, 'This is not a host name.')
      .optional(),
  ),
};

interface SocketOptions {
  url: string;
  ca?: string | undefined;
}

/** Whether a connection is encrypted from the first byte. */
export const isTls = ({ url }: SocketOptions): boolean => /^[a-z]+s:/.test(url);

/** The host and the port of the carrier. */
export function addressIn({ url }: SocketOptions): { host: string; port: number } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORTS[protocol]) };
}

export const authorityIn = ({ ca }: SocketOptions): string | undefined => ca && certificateIn(ca);
