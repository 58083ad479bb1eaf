import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];
type Resolved = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** What an allow-list says: names, networks, and entries that are neither. */
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
/** An address that lacks a part is no name. */
const NUMBERS = /^[\d.]+$/;

function networkOf(address: string): Network {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** An address that an account or an administrator chose and that this process must not connect to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Connections to addresses that come in over the API: the public internet, and what the operator allows beyond it. The
 * address is looked at after the name was resolved, and for each connection, so that a name that changes its address
 * meanwhile leads nowhere else. Redirects are not followed.
 */
export class Outbound {
  private readonly names: Set<string>;
  private readonly networks: Network[];

  /** `setting` is the name of the allow-list, for whoever reads the refusal. */
  constructor(
    allowed: string,
    private readonly setting: string,
  ) {
    const { names, networks } = parseAllowedHosts(allowed);
    this.names = names;
    this.networks = networks;
  }

  /** Refuses an address before it is kept. Throws AddressRefused, also when its name cannot be resolved. */
  async check(url: string): Promise<void> {
    const host = hostOf(new URL(url).hostname);
    if (ipaddr.isValid(host)) return this.assertAllowed(host, host);
    await promisify(this.lookup)(host, { all: true }).catch((error: Error) => {
      if (error instanceof AddressRefused) throw error;
      throw new AddressRefused(`${host} cannot be resolved`, { cause: error });
    });
  }

  /** An agent that connects to allowed addresses only. */
  agent({ connectTimeoutMs, ...options }: Agent.Options & { connectTimeoutMs: number }): Agent {
    // The type of `lookup` is that of net.connect, which is called with one of several signatures.
    const lookup = this.lookup as never;
    const connect = buildConnector({ timeout: connectTimeoutMs, lookup });
    return new Agent({
      ...options,
      connect: (target, callback) => {
        try {
          // Nothing is resolved for an address that is written as numbers.
          const host = hostOf(target.hostname);
          if (ipaddr.isValid(host)) this.assertAllowed(host, host);
        } catch (error) {
          return callback(error as Error, null);
        }
        connect(target, callback);
      },
    });
  }

  /** dns.lookup that refuses a name when any of its addresses is. */
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

/** Of IPv6 only what is assigned for global use: everything else leads inwards, or is a way to write an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
