import { webAddress } from './web-address.ts';

/** White on a button, and a link on white: WCAG AA of texts. */
export const MIN_TEXT_CONTRAST = 4.5;
/** The accent on the primary colour, in the mark: WCAG asks nothing of a logo, but one that nobody sees is none. */
export const MIN_MARK_CONTRAST = 2;

export const MAX_LOGO_BYTES = 128 * 1024;
/** Of its width and of its height, in pixels. */
export const MIN_LOGO_SIDE = 16;
export const MAX_LOGO_SIDE = 1024;

const WHITE = '#ffffff';
const COLOR = /^#[0-9a-f]{6}$/i;
const MAX_HOST = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Colours that a brand is drawn in, `#rrggbb`. */
export interface BrandColors {
  primary: string;
  accent: string;
}

export const isColor = (text: string): boolean => COLOR.test(text);

/** Relative luminance of WCAG 2, 0 to 1. */
function luminance(color: string): number {
  const channel = (at: number) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** Contrast of two colours `#rrggbb` by WCAG 2, 1 to 21. */
export function colorContrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * How well a brand is read: `text` is white on the primary colour (buttons in both schemes, and links of the light one; those of the
 * dark scheme are lightened until they are read), `mark` the accent on it.
 */
export function brandContrast({ primary, accent }: BrandColors): { text: number; mark: number } {
  return { text: colorContrast(primary, WHITE), mark: colorContrast(accent, primary) };
}

/** The colour that makes a brand unreadable, or null. */
export function unreadableColor(colors: BrandColors): keyof BrandColors | null {
  const { text, mark } = brandContrast(colors);
  if (text < MIN_TEXT_CONTRAST) return 'primary';
  return mark < MIN_MARK_CONTRAST ? 'accent' : null;
}

/**
 * The host of a domain or an address, as browsers send it: `https://München.example/` is `xn--mnchen-3ya.example`. Null for what cannot be the
 * domain of a brand: an IP address, a name without a dot, and an address with a port, a path or a user.
 */
export function brandHost(text: string): string | null {
  const given = text.trim();
  if (!given || given.length > MAX_HOST + 10) return null;
  const url = webAddress(given);
  if (!url) return null;
  if (url.port || url.username || url.password) return null;
  if (url.pathname !== '/' || url.search || url.hash) return null;
  const { hostname } = url;
  const labels = hostname.split('.');
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label));
  // A last label of digits is that of an IPv4 address.
  return isName && hostname.length <= MAX_HOST && !/^\d+$/.test(labels.at(-1)!) ? hostname : null;
}

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

/** What the first bytes of a picture say of it. */
export interface LogoFacts {
  type: LogoType;
  /** In pixels. */
  width: number;
  height: number;
}

/** Type and size of a PNG, JPEG or WebP by its bytes; null for everything else, also for SVG, which can have scripts. */
export function logoFacts(bytes: Uint8Array): LogoFacts | null {
  const facts = pngFacts(bytes) ?? webpFacts(bytes) ?? jpegFacts(bytes);
  return facts && facts.width > 0 && facts.height > 0 ? facts : null;
}

/** Why a picture cannot be a logo, by the name of its rule, or null. */
export function logoError(bytes: Uint8Array): 'logo_bytes' | 'logo_type' | 'logo_side' | null {
  if (bytes.length > MAX_LOGO_BYTES) return 'logo_bytes';
  const facts = logoFacts(bytes);
  if (!facts) return 'logo_type';
  const sides = [facts.width, facts.height];
  const fits = sides.every((side) => side >= MIN_LOGO_SIDE && side <= MAX_LOGO_SIDE);
  return fits ? null : 'logo_side';
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));
const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
const big16 = (bytes: Uint8Array, at: number): number =>
  byte(bytes, at) * 256 + byte(bytes, at + 1);
const little16 = (bytes: Uint8Array, at: number): number =>
  byte(bytes, at) + byte(bytes, at + 1) * 256;
const little24 = (bytes: Uint8Array, at: number): number =>
  little16(bytes, at) + byte(bytes, at + 2) * 65_536;

function pngFacts(bytes: Uint8Array): LogoFacts | null {
  if (textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(bytes, 12, 4) !== 'IHDR') return null;
  const side = (at: number) => big16(bytes, at) * 65_536 + big16(bytes, at + 2);
  return { type: 'image/png', width: side(16), height: side(20) };
}

function webpFacts(bytes: Uint8Array): LogoFacts | null {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const type = 'image/webp';
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ': {
      if (textAt(bytes, 23, 3) !== '\x9d\x01\x2a') return null;
      return { type, width: little16(bytes, 26) % 16_384, height: little16(bytes, 28) % 16_384 };
    }
    case 'VP8L': {
      if (byte(bytes, 20) !== 0x2f) return null;
      // 14 bits of the width, then 14 of the height.
      const bits = little24(bytes, 21) + byte(bytes, 24) * 2 ** 24;
      const height = Math.floor(bits / 2 ** 14) % 2 ** 14;
      return { type, width: 1 + (bits % 2 ** 14), height: 1 + height };
    }
    case 'VP8X':
      return { type, width: 1 + little24(bytes, 24), height: 1 + little24(bytes, 27) };
    default:
      return null;
  }
}

/** Markers of frames, which have the size: without those of tables and of arithmetic coding in the same range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegFacts(bytes: Uint8Array): LogoFacts | null {
  if (textAt(bytes, 0, 3) !== '\xff\xd8\xff') return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = byte(bytes, at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrame(marker)) {
      return { type: 'image/jpeg', width: big16(bytes, at + 7), height: big16(bytes, at + 5) };
    } else {
      at += 2 + Math.max(2, big16(bytes, at + 2));
    }
  }
  return null;
}
