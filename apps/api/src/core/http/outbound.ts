import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];
type Resolved = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** Parses an allow-list into host names, networks and invalid entries. */
export function parseAllowedHosts(text: string): {
  names: Set<string>;
  networks: Network[];
  wrong: string[];
} {
  const names = new Set<string>();
  const networks: Network[] = [];
  const wrong: string[] = [];
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry));
    else if (ipaddr.isValid(entry)) networks.push(networkOf(entry));
    else if (HOST_NAME.test(entry) && !NUMBERS.test(entry)) names.add(entry.toLowerCase());
    else wrong.push(entry);
  }
  return { names, networks, wrong };
}

const HOST_NAME = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;
/** An incomplete IPv4 address is not a host name. */
const NUMBERS = /^[\d.]+$/;

function networkOf(address: string): Network {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** The address of a user-supplied URL is not allowed. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Connections to user-supplied URLs: public addresses, and private ones on the operator's allow-list. The address is
 * checked after name resolution and for each connection, which prevents DNS rebinding. Redirects are not followed.
 */
export class Outbound {
  private readonly names: Set<string>;
  private readonly networks: Network[];

  /** `setting` is the name of the allow-list in the error message. */
  constructor(
    allowed: string,
    private readonly setting: string,
  ) {
    const { names, networks } = parseAllowedHosts(allowed);
    this.names = names;
    this.networks = networks;
  }

  /** Checks a URL before it is stored. Throws AddressRefused, also if its name cannot be resolved. */
  async check(url: string): Promise<void> {
    const host = hostOf(new URL(url).hostname);
    if (ipaddr.isValid(host)) return this.assertAllowed(host, host);
    await promisify(this.lookup)(host, { all: true }).catch((error: Error) => {
      if (error instanceof AddressRefused) throw error;
      throw new AddressRefused(`${host} cannot be resolved`, { cause: error });
    });
  }

  /** An undici agent that connects to allowed addresses only. */
  agent({ connectTimeoutMs, ...options }: Agent.Options & { connectTimeoutMs: number }): Agent {
    // The type of `lookup` is that of net.connect, which is called with one of several signatures.
    const lookup = this.lookup as never;
    const connect = buildConnector({ timeout: connectTimeoutMs, lookup });
    return new Agent({
      ...options,
      connect: (target, callback) => {
        try {
          // `lookup` is not called for an IP address.
          const host = hostOf(target.hostname);
          if (ipaddr.isValid(host)) this.assertAllowed(host, host);
        } catch (error) {
          return callback(error as Error, null);
        }
        connect(target, callback);
      },
    });
  }

  /** dns.lookup that fails if any of the addresses is not allowed. */
  private readonly lookup = (host: string, options: LookupOptions, done: Resolved): void => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error);
      try {
        for (const { address } of addresses) this.assertAllowed(host, address);
      } catch (refusal) {
        return done(refusal as Error);
      }
      if (options.all) return done(null, addresses);
      done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };

  private assertAllowed(host: string, address: string): void {
    if (this.names.has(host.toLowerCase())) return;
    const parsed = ipaddr.process(address);
    const isAllowed = this.networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
    if (isAllowed || isPublic(parsed)) return;
    const found = host === address ? address : `${host} (${address})`;
    throw new AddressRefused(
      `${found} is not a public address: ${this.setting} names the private ones that are allowed`,
    );
  }
}

/** The only global unicast range of IPv6. Others are private or embed an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
