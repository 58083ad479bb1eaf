import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { connect as connectTcp } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { domainToASCII } from 'node:url';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher, WebSocket } from 'undici';

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
    else {
      const name = HOST_NAME.test(entry) ? nameOfHost(entry) : '';
      if (name && !NUMBERS.test(name)) names.add(name);
      else wrong.push(entry);
    }
  }
  return { names, networks, wrong };
}

const HOST_NAME = /^[\p{L}\p{M}\p{N}_-]{1,63}(\.[\p{L}\p{M}\p{N}_-]{1,63})*\.?$/u;
/** An incomplete IPv4 address is not a host name. */
const NUMBERS = /^[\d.]+$/;

/** In ASCII, in small letters and without the dot that may end it: `Чай.рф.` is `xn--80as4b.xn--p1ai`. Empty for what is no name. */
const nameOfHost = (host: string): string => domainToASCII(host).replace(/\.$/, '');

function networkOf(address: string): Network {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** How the certificate of a peer is verified. */
export interface PeerCertificate {
  /** Authorities in PEM, in place of the public ones. */
  ca?: string;
  /** The name in the certificate, where it is not the host. */
  serverName?: string;
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

  /**
   * `setting` is the name of the allow-list in the error message. With `ports`, addresses that are not on the list are
   * limited to these ports, and those of this machine are refused.
   */
  constructor(
    allowed: string,
    private readonly setting: string,
    private readonly ports?: readonly number[],
  ) {
    const { names, networks } = parseAllowedHosts(allowed);
    this.names = names;
    this.networks = networks;
  }

  /** Checks a URL before it is stored. Throws AddressRefused, also if its name cannot be resolved. */
  async check(url: string): Promise<void> {
    const parsed = new URL(url);
    const host = hostOf(parsed.hostname);
    const port = portOf(parsed.protocol, parsed.port);
    if (ipaddr.isValid(host)) return this.assertAllowed(host, host, port);
    await promisify(this.lookupFor(port))(host, { all: true }).catch((error: Error) => {
      if (error instanceof AddressRefused) throw error;
      throw new AddressRefused(`${host} cannot be resolved`, { cause: error });
    });
  }

  /** An undici agent that connects to allowed addresses only. */
  agent({ connectTimeoutMs, ...options }: Agent.Options & { connectTimeoutMs: number }): Agent {
    // The type of `lookup` is that of net.connect, which is called with one of several signatures.
    const connectorFor = (port: number) =>
      buildConnector({ timeout: connectTimeoutMs, lookup: this.lookupFor(port) as never });
    const connectors = new Map<number, ReturnType<typeof buildConnector>>();
    return new Agent({
      ...options,
      connect: (target, callback) => {
        try {
          // `lookup` is not called for an IP address.
          const host = hostOf(target.hostname);
          const port = portOf(target.protocol, target.port);
          if (ipaddr.isValid(host)) this.assertAllowed(host, host, port);
          // One connector for each port of the list, and one for all others.
          const kind = this.isPort(port) ? port : 0;
          if (!connectors.has(kind)) connectors.set(kind, connectorFor(kind));
          connectors.get(kind)!(target, callback);
        } catch (error) {
          callback(error as Error, null);
        }
      },
    });
  }

  /**
   * A connection for a protocol other than HTTP, to an allowed address only. With `tls` it is encrypted, and the certificate verified.
   * Throws AddressRefused, an error of the connection, or the reason of `signal`, which ends the attempt and nothing after it.
   */
  async connect(
    host: string,
    port: number,
    { tls, signal }: { tls?: PeerCertificate; signal: AbortSignal },
  ): Promise<Duplex> {
    signal.throwIfAborted();
    // `lookup` is not called for an IP address.
    if (ipaddr.isValid(host)) this.assertAllowed(host, host, port);
    const tcp = connectTcp({ host, port, lookup: this.lookupFor(port) as never, noDelay: true });
    const socket = tls
      ? connectTls({ socket: tcp, host, ca: tls.ca, servername: tls.serverName ?? nameOf(host) })
      : tcp;
    const { promise, resolve: opened, reject } = Promise.withResolvers<void>();
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    (socket as Duplex).once(tls ? 'secureConnect' : 'connect', opened);
    for (const one of new Set<Duplex>([socket, tcp])) {
      one.on('error', reject).once('close', () => reject(new Error('The connection was closed')));
    }
    try {
      await promise;
      return socket;
    } catch (error) {
      socket.destroy();
      tcp.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private isPort(port: number): boolean {
    return !this.ports || this.ports.includes(port);
  }

  /** dns.lookup that fails if any of the addresses is not allowed. */
  private lookupFor(port: number) {
    return (host: string, options: LookupOptions, done: Resolved): void => {
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error);
        try {
          for (const { address } of addresses) this.assertAllowed(host, address, port);
        } catch (refusal) {
          return done(refusal as Error);
        }
        if (options.all) return done(null, addresses);
        done(null, addresses[0]!.address, addresses[0]!.family);
      });
    };
  }

  private assertAllowed(host: string, address: string, port: number): void {
    if (this.names.has(nameOfHost(host))) return;
    const parsed = ipaddr.process(address);
    const isAllowed = this.networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
    if (isAllowed) return;
    const found = host === address ? address : `${host} (${address})`;
    if (isPublic(parsed) && !(this.ports && isOwn(parsed))) {
      if (this.isPort(port)) return;
      throw new AddressRefused(`The port of ${found} is not one of ${this.ports!.join(', ')}`);
    }
    throw new AddressRefused(
      `${found} is not a public address: ${this.setting} names the private ones that are allowed`,
    );
  }
}

/**
 * A dispatcher for one request, which tells whether the request has begun: an error before means that nothing of it has left the process.
 * The client says that it begins right before it writes to an open connection.
 */
export function markBegin(agent: Agent): { dispatcher: Dispatcher; hasBegun: () => boolean } {
  let hasBegun = false;
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const begin = handler.onRequestStart?.bind(handler);
    // The handler is of this request alone.
    handler.onRequestStart = (controller, context) => {
      begin?.(controller, context);
      // One that was aborted while it waited is not written.
      if (!controller.aborted) hasBegun = true;
    };
    return dispatch(options, handler);
  });
  return { dispatcher, hasBegun: () => hasBegun };
}

/** A WebSocket (`ws:` or `wss:`) over the connections of an agent of the guard. */
export const openWebSocket = (
  agent: Agent,
  url: string,
  headers: Record<string, string>,
): WebSocket => new WebSocket(url, { dispatcher: agent, headers });

/** The only global unicast range of IPv6. Others are private or embed an IPv4 address. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** Public addresses of this machine. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .some(
      (one) => ipaddr.process(one.address).toNormalizedString() === address.toNormalizedString(),
    );
}

function portOf(protocol: string, port: string): number {
  if (port) return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** The name for which a server shows its certificate; an address is no such name. */
const nameOf = (host: string): string | undefined => (ipaddr.isValid(host) ? undefined : host);

const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
