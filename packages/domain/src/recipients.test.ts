import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedRecipient } from './recipients.ts';
import { isUuid, linesOf, parseRecipients } from './recipients.ts';

async function read(lines: Iterable<string> | AsyncIterable<string>): Promise<ParsedRecipient[]> {
  const all: ParsedRecipient[] = [];
  for await (const one of parseRecipients(lines)) all.push(one);
  return all;
}

describe('parseRecipients', () => {
  it('separates by line ends, commas, semicolons and tabs, and passes over blanks', async () => {
    const text = '+79161234567, 8 916 123 45 68;;\r\n\n9161234569\t+375291234567 ;\n';
    expect(await read([text])).toEqual([
      { line: 1, raw: '+79161234567', phone: '+79161234567' },
      { line: 1, raw: '8 916 123 45 68', phone: '+79161234568' },
      { line: 3, raw: '9161234569', phone: '+79161234569' },
      { line: 3, raw: '+375291234567', phone: '+375291234567' },
    ]);
  });

  it('keeps the number of the line of what it refuses, over several strings', async () => {
    expect(await read(['+79161234567', 'abc\n8(916)123-45-67', '12'])).toEqual([
      { line: 1, raw: '+79161234567', phone: '+79161234567' },
      { line: 2, raw: 'abc', error: 'invalid' },
      { line: 3, raw: '8(916)123-45-67', error: 'duplicate' },
      { line: 4, raw: '12', error: 'invalid' },
    ]);
  });

  it('counts an invalid entry as invalid each time', async () => {
    expect((await read(['x,x'])).map((one) => 'error' in one && one.error)).toEqual([
      'invalid',
      'invalid',
    ]);
  });

  it('reads the same however a text is cut into chunks', async () => {
    const entry = fc.constantFrom('+79161234567', '8 916 123 45 68', '9161234569', 'x', '');
    const separator = fc.constantFrom(',', ';', '\n', '\r\n');
    const text = fc
      .array(fc.tuple(entry, separator), { maxLength: 8 })
      .map((p) => p.flat().join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
        const chunks: string[] = [];
        for (let i = 0; i < whole.length; i += size) chunks.push(whole.slice(i, i + size));
        expect(await read(linesOf(chunks))).toEqual(await read(linesOf([whole])));
      }),
    );
  });

  it('does not read ahead of who asks', async () => {
    let taken = 0;
    function* endless(): Generator<string> {
      for (;;) {
        taken++;
        yield '+79161234567';
      }
    }
    const parsed = parseRecipients(endless());
    await parsed.next();
    await parsed.return();
    expect(taken).toBe(1);
  });
});

describe('isUuid', () => {
  it.each([
    ['0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', true],
    ['0193A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B', true],
    ['0193a1b2c3d47e5f8a9b0c1d2e3f4a5b', false],
    ['+79161234567', false],
    [' 0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', false],
  ])('%j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
