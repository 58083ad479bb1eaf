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

/** The host of an address in ASCII, as browsers name it; without the dot that may end it. Null for what is no address. */
export const asciiHost = (text: string): string | null =>
  webAddress(text)?.hostname.replace(/\.$/, '') ?? null;
