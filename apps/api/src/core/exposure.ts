import ipaddr from 'ipaddr.js';

export interface Addresses {
  HOST: string;
  BIND?: string;
  PUBLIC_URL?: string;
}

/**
 * The address at which the API may be reachable from other machines; null if it is local only. A container is published at
 * `BIND`; a reverse proxy serves `PUBLIC_URL`.
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
