import ipaddr from 'ipaddr.js';

export interface Addresses {
  HOST: string;
  BIND?: string;
  PUBLIC_URL?: string;
}

/**
 * The address at which others than this machine may reach the API; null when there is none. A container listens
 * everywhere and is published at `BIND`; behind a proxy `PUBLIC_URL` says where.
 */
export function exposedAddress({ HOST, BIND, PUBLIC_URL }: Addresses): string | null {
  const listening = BIND ?? HOST;
  if (!isLoopback(listening)) return listening;
  return PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname) ? PUBLIC_URL : null;
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (ipaddr.isValid(bare)) return ipaddr.process(bare).range() === 'loopback';
  return bare === 'localhost' || bare.endsWith('.localhost');
}
