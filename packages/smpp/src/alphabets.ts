import { GSM_BASIC, GSM_EXTENSION } from '@heliograph/domain';

import { nationalTables } from './national.ts';

/** How the characters of a text are numbered in a message. */
export type Alphabet = 'gsm' | 'packed' | 'ascii' | 'latin1' | 'ucs2';

const ESCAPE = 0x1b;
/** Codes of GSM_EXTENSION in its order: 3GPP TS 23.038, section 6.2.1.1. */
const EXTENSION_CODES = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65];
/** The escape stands between the two halves of the alphabet. */
const basicCode = (index: number) => (index < ESCAPE ? index : index + 1);

const SEPTETS_OF = new Map<string, number[]>();
const BASIC_OF: string[] = [];
const EXTENSION_OF: string[] = [];
[...GSM_BASIC].forEach((char, index) => {
  SEPTETS_OF.set(char, [basicCode(index)]);
  BASIC_OF[basicCode(index)] = char;
});
[...GSM_EXTENSION].forEach((char, index) => {
  const code = EXTENSION_CODES[index]!;
  SEPTETS_OF.set(char, [ESCAPE, code]);
  EXTENSION_OF[code] = char;
});

/** One septet in each octet; undefined if the alphabet lacks a character. */
export function toSeptets(text: string): Buffer | undefined {
  const septets: number[] = [];
  for (const char of text) {
    const codes = SEPTETS_OF.get(char);
    if (!codes) return undefined;
    septets.push(...codes);
  }
  return Buffer.from(septets);
}

/**
 * An escape without a character of the extension is passed over, and what follows is read as basic: section 6.2.1.1. The national tables
 * come before those of GSM.
 */
export function fromSeptets(septets: Buffer, { single, locking } = nationalTables(0, 0)): string {
  let text = '';
  for (let i = 0; i < septets.length; i++) {
    const code = septets[i]! & 0x7f;
    if (code !== ESCAPE) text += locking[code] ?? BASIC_OF[code];
    else if (i + 1 < septets.length) {
      const next = septets[++i]! & 0x7f;
      text += single[next] ?? EXTENSION_OF[next] ?? locking[next] ?? BASIC_OF[next] ?? ' ';
    }
  }
  return text;
}

const CR = 0x0d;

/** Eight septets in seven octets: section 6.1.2.1. `fill` bits stand in front, where a header does not end on a septet. */
export function pack(septets: Buffer, fill = 0): Buffer {
  const bits = fill + septets.length * 7;
  // Seven bits that are left over would be an `@`.
  const padded = bits % 8 === 1 ? Buffer.concat([septets, Buffer.from([CR])]) : septets;
  const octets = Buffer.alloc(Math.ceil((fill + padded.length * 7) / 8));
  padded.forEach((septet, i) => {
    const at = fill + i * 7;
    const value = (septet & 0x7f) << (at % 8);
    octets[at >> 3]! |= value & 0xff;
    if (value > 0xff) octets[(at >> 3) + 1]! |= value >> 8;
  });
  return octets;
}

export function unpack(octets: Buffer, fill = 0): Buffer {
  const count = Math.max(0, Math.floor((octets.length * 8 - fill) / 7));
  const septets = Buffer.alloc(count);
  for (let i = 0; i < count; i++) {
    const at = fill + i * 7;
    const pair = octets[at >> 3]! | ((octets[(at >> 3) + 1] ?? 0) << 8);
    septets[i] = (pair >> (at % 8)) & 0x7f;
  }
  const isPadded = (octets.length * 8 - fill) % 7 === 0 && septets.at(-1) === CR;
  return isPadded ? septets.subarray(0, -1) : septets;
}

/** The text in an alphabet, without a header; undefined if it lacks a character. */
export function encodeText(text: string, alphabet: Alphabet, fill = 0): Buffer | undefined {
  if (alphabet === 'ucs2') return Buffer.from(text, 'utf16le').swap16();
  if (alphabet === 'latin1' || alphabet === 'ascii') {
    const octets = Buffer.from(text, 'latin1');
    const isWhole = octets.toString('latin1') === text;
    return isWhole && (alphabet === 'latin1' || octets.every((octet) => octet < 0x80))
      ? octets
      : undefined;
  }
  const septets = toSeptets(text);
  return septets && alphabet === 'packed' ? pack(septets, fill) : septets;
}

/** Alphabets of other languages, which arrive and are never sent; by `data_coding`. */
const DECODERS: Record<number, string> = {
  0x05: 'shift_jis',
  0x06: 'iso-8859-5',
  0x07: 'iso-8859-8',
  0x0a: 'iso-2022-jp',
  0x0d: 'euc-jp',
  0x0e: 'euc-kr',
};

/**
 * `packed` is an alphabet of septets that needs its header's length to be read, `gsm 1 0` that of GSM with the tables of languages: what
 * follows an escape is of the first, the rest of the second.
 */
export type ReceivedAlphabet = Alphabet | 'binary' | `coding ${number}` | `gsm ${number} ${number}`;

/** An alphabet of septets, not packed any more, with the national tables that a header names; any other stays as it is. */
export function withTables(
  alphabet: ReceivedAlphabet,
  single: number,
  locking: number,
): ReceivedAlphabet {
  const isChanged = single !== 0 || locking !== 0;
  return isChanged && (alphabet === 'gsm' || alphabet === 'packed')
    ? `gsm ${single} ${locking}`
    : alphabet;
}

/** The alphabet of `data_coding`: SMPP 3.4, section 5.2.19, and 3GPP TS 23.038, section 4, for values with a message class. */
export function alphabetOf(dataCoding: number, byDefault: Alphabet): ReceivedAlphabet {
  if (dataCoding === 0) return byDefault;
  if (dataCoding === 1) return 'ascii';
  if (dataCoding === 2 || dataCoding === 4) return 'binary';
  if (dataCoding === 3) return 'latin1';
  if (dataCoding === 8) return 'ucs2';
  if (dataCoding in DECODERS) return `coding ${dataCoding}`;
  if (dataCoding < 0x10) return byDefault;
  const group = dataCoding >> 4;
  if (group === 0xf) return dataCoding & 0x04 ? 'binary' : byDefault;
  if (group === 0xe) return 'ucs2';
  if (group >= 0x8) return byDefault;
  return ([byDefault, 'binary', 'ucs2', byDefault] as const)[(dataCoding >> 2) & 3]!;
}

/** The text of octets without a header, whose septets are not packed any more. Of octets that are no text, hexadecimal digits. */
export function decodeText(octets: Buffer, alphabet: ReceivedAlphabet): string {
  switch (alphabet) {
    case 'gsm':
    case 'packed':
      return fromSeptets(octets);
    case 'ascii':
    case 'latin1':
      return octets.toString('latin1');
    case 'ucs2':
      return new TextDecoder('utf-16be', { ignoreBOM: true }).decode(
        octets.subarray(0, octets.length & ~1),
      );
    case 'binary':
      return octets.toString('hex');
  }
  const [kind, first, second] = alphabet.split(' ');
  if (kind === 'gsm') return fromSeptets(octets, nationalTables(Number(first), Number(second)));
  return new TextDecoder(DECODERS[Number(first)]).decode(octets);
}
