import { expect, test } from 'vitest';
import {
  brandContrast,
  brandHost,
  colorContrast,
  isColor,
  logoError,
  logoFacts,
  MAX_LOGO_BYTES,
  unreadableColor,
} from './brands.ts';

test('contrast is counted as by WCAG', () => {
  expect(colorContrast('#000000', '#FFFFFF')).toBe(21);
  expect(colorContrast('#ffffff', '#000000')).toBe(21);
  expect(colorContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(colorContrast('#1c6dd0', '#1c6dd0')).toBe(1);
});

test.each([
  ['#1c6dd0', '#ffd43b', null],
  ['#0f766e', '#fda4af', null],
  ['#000000', '#ffffff', null],
  ['#ffd43b', '#000000', 'primary'],
  ['#777777', '#ffffff', 'primary'],
  ['#767676', '#ffffff', null],
  ['#1c6dd0', '#0f766e', 'accent'],
  ['#1c6dd0', '#1c6dd0', 'accent'],
])('%s with %s is unreadable by %s', (primary, accent, expected) => {
  expect(unreadableColor({ primary, accent })).toBe(expected);
});

test('the ratios of a brand are those of its uses', () => {
  expect(brandContrast({ primary: '#000000', accent: '#ffffff' })).toEqual({ text: 21, mark: 21 });
});

test.each(['#1c6dd', '1c6dd0', '#1c6dd0 ', '#1c6ddg', '#1c6dd0ff', 'red', ''])(
  '%s is no colour',
  (text) => expect(isColor(text)).toBe(false),
);

test.each([
  ['sms.example.com', 'sms.example.com'],
  [' https://SMS.Example.com/ ', 'sms.example.com'],
  ['http://sms.example.com', 'sms.example.com'],
  ['München.example', 'xn--mnchen-3ya.example'],
  ['https://пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['sms.example.com:443', 'sms.example.com'],
])('%s is the host %s', (text, host) => expect(brandHost(text)).toBe(host));

test.each([
  '',
  'localhost',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  'sms.example.com.',
  'sms.example.com:8443',
  'https://sms.example.com/cabinet',
  'sms.example.com?a=1',
  'sms.example.com#a',
  'name:word@sms.example.com',
  'sms_1.example.com',
  '-sms.example.com',
  '*.example.com',
  'sms..example.com',
  'javascript:alert(1)',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(127)}example`,
])('%s is no host of a brand', (text) => expect(brandHost(text)).toBeNull());

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((char) => char.charCodeAt(0)) : part,
    ),
  );
const png = (width: number[], height: number[]) =>
  bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', width, height, [8, 6, 0, 0, 0]);
const SMALL = png([0, 0, 0, 64], [0, 0, 0, 32]);

test.each([
  ['image/png', SMALL, 64, 32],
  [
    'image/jpeg',
    bytes(
      [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9],
      [0xff, 0xc2, 0, 11, 8, 0, 40, 1, 0],
    ),
    256,
    40,
  ],
  [
    'image/webp',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 1, 2, 3, 0x9d, 1, 0x2a, 0, 0x41, 50, 0]),
    256,
    50,
  ],
  [
    'image/webp',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0xff, 0xc0, 0x07, 0]),
    256,
    32,
  ],
  [
    'image/webp',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 31, 0, 0]),
    320,
    32,
  ],
])('a %s has its type and its size', (type, file, width, height) => {
  expect(logoFacts(file)).toEqual({ type, width, height });
});

test.each([
  ['logo_type', bytes('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"></svg>')],
  ['logo_type', bytes('GIF89a', [64, 0, 64, 0])],
  ['logo_type', bytes('<script>alert(1)</script>')],
  ['logo_type', bytes()],
  ['logo_type', bytes('\x89PNG\r\n\x1a\n')],
  ['logo_type', png([0, 0, 0, 0], [0, 0, 0, 64])],
  [
    'logo_type',
    bytes(
      [0xff, 0xd8, 0xff, 0xe0, 0, 0],
      Array.from({ length: 300 }, () => 0xff),
    ),
  ],
  ['logo_side', png([0, 0, 4, 1], [0, 0, 0, 64])],
  ['logo_side', png([0, 0, 0, 64], [0, 0, 0, 15])],
  ['logo_side', png([0xff, 0xff, 0xff, 0xff], [0, 0, 0, 64])],
  ['logo_bytes', new Uint8Array(MAX_LOGO_BYTES + 1)],
  [null, SMALL],
])('the rule %s', (rule, file) => expect(logoError(file)).toBe(rule));
