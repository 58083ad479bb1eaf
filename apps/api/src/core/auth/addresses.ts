import ipaddr from 'ipaddr.js';

/** Stands for any address in the lists of widgets. */
export const ANY_ADDRESS = '{ip}/0';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The range of an address or of a network in CIDR notation. IPv4 addresses mapped to IPv6 are taken as IPv4. */
function parseRange(text: string): Range {
  if (!text.includes('/')) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  const [address, bits] = ipaddr.parseCIDR(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits];
}

/**
 * Networks in mapped notation that reach beyond the mapped addresses, `::ffff:10.0.0.0/8`, were meant as IPv4 and match no
 * IPv4 client; of `::1.2.3.4` the library makes an IPv4 address.
 */
export function isAmbiguousRange(text: string): boolean {
  const [plain, bits] = text.split('/') as [string, string?];
  const address = ipaddr.parse(plain);
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress()) return false;
  return !/ffff/i.test(plain) || Number(bits ?? 128) < 96;
}

/** One spelling per range, without the bits of the host: `10.1.2.3/8` is `10.0.0.0/8`. */
export function normalizeRange(text: string): string {
  const [address, bits] = parseRange(text);
  if (bits === (address.kind() === 'ipv4' ? 32 : 128)) return address.toString();
  const bytes = address.toByteArray().map((byte, i) => byte & maskOf(bits - i * 8));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

/** The bits of a byte that belong to a prefix with so many bits left. */
const maskOf = (bits: number) => (0xff << (8 - Math.min(8, Math.max(0, bits)))) & 0xff;

/** Whether an address is in one of the ranges; an empty list allows every address. */
export function isAllowedAddress(ip: string, ranges: readonly string[]): boolean {
  if (!ranges.length) return true;
  if (!ipaddr.isValid(ip) || isAmbiguousRange(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((text) => {
    const range = parseRange(text);
    return address.kind() === range[0].kind() && address.match(range as [ipaddr.IPv4, number]);
  });
}
