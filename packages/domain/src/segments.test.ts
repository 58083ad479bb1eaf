import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSegments, gsmReplacement, splitSegments } from './segments.ts';

const EMOJI = '😀';
const a = (n: number): string => 'a'.repeat(n);

describe('countSegments', () => {
  it.each([
    ['nothing', '', 1, 'ascii'],
    ['160 a', a(160), 1, 'ascii'],
    ['161 a', a(161), 2, 'ascii'],
    ['306 a', a(306), 2, 'ascii'],
    ['307 a', a(307), 3, 'ascii'],
    ['459 a', a(459), 3, 'ascii'],
    ['460 a', a(460), 4, 'ascii'],
    ['80 euros', '€'.repeat(80), 1, 'ascii'],
    ['81 euros', '€'.repeat(81), 2, 'ascii'],
    ['a pair moved to the next segment', a(152) + '€' + a(152), 3, 'ascii'],
    ['a pair that just fits', a(151) + '€' + a(153), 2, 'ascii'],
    ['70 Я', 'Я'.repeat(70), 1, 'unicode'],
    ['71 Я', 'Я'.repeat(71), 2, 'unicode'],
    ['134 Я', 'Я'.repeat(134), 2, 'unicode'],
    ['135 Я', 'Я'.repeat(135), 3, 'unicode'],
    ['35 emoji', EMOJI.repeat(35), 1, 'unicode'],
    ['36 emoji', EMOJI.repeat(36), 2, 'unicode'],
    ['66 emoji', EMOJI.repeat(66), 2, 'unicode'],
    ['67 emoji', EMOJI.repeat(67), 3, 'unicode'],
    ['extension characters in Unicode cost one', 'Я' + '€'.repeat(69), 1, 'unicode'],
    ['one Cyrillic letter among 160', a(159) + 'Я', 3, 'unicode'],
  ])('%s: %#', (_, text, segments, encoding) => {
    const { segments: counted, encoding: found } = countSegments(text);
    expect([counted, found]).toEqual([segments, encoding]);
  });

  it('has the alphabet of 3GPP TS 23.038', () => {
    const basic =
      '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
      'ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
    expect(basic).toHaveLength(127);
    expect(countSegments(basic)).toMatchObject({ encoding: 'ascii', characters: 127 });
    expect(countSegments('^{}\\[~]|€\f')).toMatchObject({ encoding: 'ascii', characters: 20 });
  });

  it.each([...'`ç’“”–—№«»\u00a0\tйЯ₽Ω\u001b'.replace('Ω', '')])('%j requires UCS-2', (char) => {
    expect(countSegments(char).encoding).toBe('unicode');
  });

  it.each([
    [a(10), { characters: 10, perSegment: 160, left: 150 }],
    [a(161), { characters: 161, perSegment: 153, left: 145 }],
    [a(152) + '€' + a(152), { characters: 306, perSegment: 153, left: 152 }],
    ['Я', { characters: 1, perSegment: 70, left: 69 }],
    ['Я'.repeat(71), { characters: 71, perSegment: 67, left: 63 }],
    [EMOJI.repeat(67), { characters: 134, perSegment: 67, left: 65 }],
  ])('counts the free units: %#', (text, expected) => {
    expect(countSegments(text)).toMatchObject(expected);
  });

  it.each([
    ['Price “today” – 5', ['“', '”', '–']],
    ['a long enough text ’ and ’ again', ['’']],
    [`a long enough text ${EMOJI}`, [EMOJI]],
    ['Привет', []],
    ['abcdЯ', []],
    ['abcdeЯ', ['Я']],
    ['plain', []],
  ])('lists the offenders in %j', (text, offenders) => {
    expect(countSegments(text).offenders).toEqual(offenders);
  });

  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '€', '[', 'Я', EMOJI, '\ud83d', ' '),
    maxLength: 700,
  });

  it('has room for all units, with at most one unused per full segment', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { segments, perSegment, characters, left } = countSegments(value);
        const capacity = segments * perSegment - left;
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left).toBeLessThanOrEqual(perSegment);
        expect(capacity).toBeGreaterThanOrEqual(characters);
        expect(capacity - characters).toBeLessThan(segments);
      }),
    );
  });

  it('is monotonic in the length of the text', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('a', '€'), (value, more) => {
        expect(countSegments(value + more).segments).toBeGreaterThanOrEqual(
          countSegments(value).segments,
        );
      }),
    );
  });

  it('equals a simple reference implementation', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(countSegments(value).segments).toBe(packed(value));
      }),
    );
  });
});

/** Reference implementation without optimizations. */
function packed(text: string): number {
  const unicode = countSegments(text).encoding === 'unicode';
  const cost = (char: string): number =>
    unicode ? char.length : '^{}\\[~]|€\f'.includes(char) ? 2 : 1;
  const costs = [...text].map(cost);
  const total = costs.reduce((sum, one) => sum + one, 0);
  if (total <= (unicode ? 70 : 160)) return 1;
  const parts = [0];
  for (const one of costs) {
    if (parts.at(-1)! + one > (unicode ? 67 : 153)) parts.push(0);
    parts[parts.length - 1]! += one;
  }
  return parts.length;
}

describe('gsmReplacement', () => {
  it.each([
    ['«', '"'],
    ['“', '"'],
    ['’', "'"],
    ['—', '-'],
    ['…', '...'],
    ['\u00a0', ' '],
    ['\u200b', ''],
    ['№', 'No'],
    ['ç', 'c'],
    ['á', 'a'],
    ['С', 'C'],
    ['я', null],
    [EMOJI, null],
  ])('%j becomes %j', (char, expected) => {
    expect(gsmReplacement(char)).toBe(expected);
  });

  it('returns only characters of the alphabet, for all Unicode characters', () => {
    const wrong: string[] = [];
    for (let code = 0x20; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code);
      const replacement = gsmReplacement(char);
      if (replacement !== null && countSegments(replacement).encoding !== 'ascii')
        wrong.push(`U+${code.toString(16)} becomes ${replacement}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('splitSegments', () => {
  it('cuts where segments are counted, and loses nothing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '€', 'Я', EMOJI), maxLength: 600 });
    const gsm = fc.string({ unit: fc.constantFrom('a', '€'), maxLength: 1_000 });
    fc.assert(
      fc.property(fc.oneof(text, gsm), (whole) => {
        const { encoding, parts } = splitSegments(whole);
        const counted = countSegments(whole);
        expect([encoding, parts.length]).toEqual([counted.encoding, counted.segments]);
        expect(parts.join('')).toBe(whole);
        for (const part of parts) expect(countSegments(part).segments).toBe(1);
      }),
    );
  });

  it('has less room with a longer header, and the room of UCS-2 when told so', () => {
    const lengths = (...of: Parameters<typeof splitSegments>) =>
      splitSegments(...of).parts.map((part) => part.length);
    expect(lengths(a(306), { header: 7 })).toEqual([152, 152, 2]);
    expect(lengths('Я'.repeat(71), { header: 7 })).toEqual([66, 5]);
    expect(lengths(a(71), { encoding: 'unicode' })).toEqual([67, 4]);
    expect(lengths(a(152) + '€' + a(152))).toEqual([152, 152, 1]);
  });
});
