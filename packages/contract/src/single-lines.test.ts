import { expect, test } from 'vitest';
import * as z from 'zod';
import { line, lines, ofLines, trimmed, trimmedLines } from './fields.ts';
import { INPUTS, within } from './testing/inputs.ts';

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const BREAKS = ['\n', '\r\n', '\t', '\u0000', '\u0007', '\u001b', '\u0085', '\u2028'];
/** What the patterns of fields take: words, numbers, addresses, times. */
const WORDS = [
  'a',
  'aa',
  'aaaaaaaa',
  'a'.repeat(40),
  '1',
  '11',
  '111111',
  '79161234567',
  '+79161234567',
  'anna@tea.example',
  'https://tea.example/',
  '2026-01-31',
  '203.0.113.1',
  '#aabbcc',
  'RU',
];
const PROBES = BREAKS.flatMap((control) =>
  WORDS.flatMap((word) => [
    word + control + word,
    word + control,
    control + word,
    word.slice(0, 1) + control + word.slice(1),
  ]),
);

/** Fields that a text of several lines or a control character passes. */
const passing = (schema: z.core.$ZodType) =>
  PROBES.filter((probe) => {
    const { success, data } = z.safeParse(schema, probe);
    return success && typeof data === 'string' && CONTROL.test(data);
  });

/** String schemas of a request, without those that are declared to be of several lines. */
const singles = (schema: z.ZodType) =>
  [...within(schema)].filter(
    (inner) => inner._zod.def.type === 'string' && !ofLines.get(inner as z.ZodType),
  );

test.each(INPUTS)('every string of %s is one line, or declared to be of several', (_, schema) => {
  expect(
    singles(schema)
      .flatMap(passing)
      .map((text) => JSON.stringify(text)),
  ).toEqual([]);
});

test('the walk finds strings of both kinds, also those with further rules', () => {
  const all = INPUTS.flatMap(([, schema]) => [...within(schema)]);
  const texts = all.filter((inner) => inner._zod.def.type === 'string');
  const several = texts.filter((inner) => ofLines.get(inner as z.ZodType));
  expect(texts.length - several.length).toBeGreaterThan(300);
  expect(several.length).toBeGreaterThan(30);
  expect(ofLines.get(lines(9).min(1).refine(Boolean))).toBeDefined();
  expect(passing(z.string().max(99))).not.toEqual([]);
});

test('a line is refused with a control character, or made one', () => {
  expect(trimmed(20).safeParse(' Tea\n').data).toBe('Tea');
  expect(trimmed(20).safeParse('Tea\nHouse').error?.issues[0]).toMatchObject({
    params: { rule: 'text' },
  });
  expect(line(20).safeParse('Tea\r\nHouse').data).toBe('Tea House');
  expect(line(20).safeParse('Tea\u0007House').success).toBe(false);
  expect(trimmedLines(20).safeParse(' Tea\nHouse ').data).toBe('Tea\nHouse');
});
