type WebAddress = Record<
  'hostname' | 'port' | 'username' | 'password' | 'pathname' | 'search' | 'hash',
  string
>;

/** Node and browsers have it; the types of neither are known here. */
declare const URL: { new (text: string): WebAddress; canParse(text: string): boolean };

/** The parts of an address, or of a host without a protocol, as browsers send them: hosts in ASCII. Null for what is neither. */
export function webAddress(text: string): WebAddress | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address) : null;
}
