import { INPUTS } from '../../../../../packages/contract/src/testing/inputs.ts';
import * as z from 'zod';
import { Day, Email, Id, Money, Time } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { read, sourceFiles } from '../../../test/import-graph.ts';
import { parseWith, sentence } from './sentences.ts';

/** A capital in front, a full stop at the end, two words at least. */
const SENTENCE = /^[A-Z]\S*( \S+)+\.$/;

function issuesOf(schema: z.ZodType, value: unknown) {
  const read = parseWith(schema, value);
  return 'issues' in read ? [...read.issues] : [];
}

const of = (item: z.ZodType) => z.strictObject({ it: item });

test.each<[string, z.ZodType, unknown, string, string]>([
  ['required', z.string(), undefined, 'invalid_type', 'The field it is required.'],
  ['text', z.string(), 5, 'invalid_type', 'The field it must be a string.'],
  ['number', z.number(), '5', 'invalid_type', 'The field it must be a number.'],
  ['number in a query', z.coerce.number(), 'x', 'invalid_type', 'The field it must be a number.'],
  ['whole number', z.int(), 1.5, 'invalid_type', 'The field it must be an integer.'],
  ['boolean', z.boolean(), 'yes', 'invalid_type', 'The field it must be true or false.'],
  ['list', z.array(z.string()), {}, 'invalid_type', 'The field it must be a list.'],
  ['object', z.object({}), [], 'invalid_type', 'The field it must be an object.'],
  [
    'record',
    z.record(z.string(), z.string()),
    1,
    'invalid_type',
    'The field it must be an object.',
  ],
  ['null', z.null(), 1, 'invalid_type', 'The field it must be null.'],
  ['empty text', z.string().min(1), '', 'too_small', 'The field it must not be empty.'],
  [
    'short text',
    z.string().min(5),
    'x',
    'too_small',
    'The field it must have at least 5 characters.',
  ],
  [
    'long text',
    z.string().max(2),
    'xxx',
    'too_big',
    'The field it must have at most 2 characters.',
  ],
  [
    'exact text',
    z.string().length(2),
    'x',
    'too_small',
    'The field it must have exactly 2 characters.',
  ],
  [
    'few entries',
    z.array(z.any()).min(2),
    [1],
    'too_small',
    'The field it must have at least 2 entries.',
  ],
  [
    'many entries',
    z.array(z.any()).max(1),
    [1, 2],
    'too_big',
    'The field it must have at most 1 entries.',
  ],
  ['small number', z.number().min(3), 2, 'too_small', 'The field it must be at least 3.'],
  ['not positive', z.number().positive(), 0, 'too_small', 'The field it must be more than 0.'],
  ['large number', z.number().max(3), 4, 'too_big', 'The field it must be at most 3.'],
  [
    'multiple',
    z.number().multipleOf(5),
    4,
    'not_multiple_of',
    'The field it must be a multiple of 5.',
  ],
  [
    'pattern',
    z.string().regex(/^\d$/),
    'x',
    'invalid_format',
    'The field it has an invalid format.',
  ],
  [
    'time',
    Time,
    'noon',
    'invalid_format',
    'The field it must be a time such as 2026-12-31T09:30:00Z.',
  ],
  ['day', Day, '1990', 'invalid_format', 'The field it must be a date such as 1990-12-31.'],
  ['id', Id, 'x', 'invalid_format', 'The field it must be an id.'],
  [
    'one of',
    z.enum(['sms', 'viber']),
    'fax',
    'invalid_value',
    'The field it must be one of sms, viber.',
  ],
  ['one of, absent', z.enum(['sms']), undefined, 'invalid_value', 'The field it is required.'],
  ['literal', z.literal(0), 1, 'invalid_value', 'The field it must be 0.'],
  [
    'key',
    z.record(z.string().max(1), z.any()),
    { xx: 1 },
    'invalid_key',
    'The field it.xx has a name that is not allowed.',
  ],
  ['unknown', z.strictObject({}), { x: 1 }, 'unknown_field', 'The field it.x is unknown.'],
  [
    'union',
    z.union([z.literal(0), Time]),
    'noon',
    'invalid_format',
    'The field it must be a time such as 2026-12-31T09:30:00Z.',
  ],
  [
    'union as a whole',
    z.union([z.literal(0), z.int().min(30)]),
    null,
    'invalid_value',
    'The field it must be 0 or a number.',
  ],
  [
    'union, absent',
    z.union([z.literal(0), z.string()]),
    undefined,
    'invalid_value',
    'The field it is required.',
  ],
  [
    'discriminated',
    z.discriminatedUnion('a', [z.object({ a: z.literal('x') })]),
    { a: 'y' },
    'invalid_union',
    'The field it.a must be x.',
  ],
  ['rule without words', z.string().refine(() => false), 'x', 'custom', 'The field it is invalid.'],
  ['rule with words', Email, 'x', 'email', 'Invalid e-mail.'],
  ['scale', Money, 0.00001, 'decimals', 'The amount must have at most four decimals.'],
])('%s', (_, schema, value, rule, message) => {
  expect(issuesOf(of(schema), { it: value })).toEqual([
    { field: expect.stringMatching(/^it/), rule, message },
  ]);
  expect(message).toMatch(SENTENCE);
});

/** What callers send by mistake, at every place. */
const WRONG = [
  undefined,
  null,
  '',
  'x',
  'x'.repeat(300_000),
  -1,
  1e12,
  0.123456,
  true,
  [],
  [5],
  {},
  { x: 1 },
];

/** A body with one value in the place of every field in turn. */
function bodies(schema: z.ZodType): unknown[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return [
    ...WRONG,
    ...WRONG.map((value) => Object.fromEntries(Object.keys(properties).map((k) => [k, value]))),
  ];
}

test.each(INPUTS)('%s is refused in sentences', (_, schema) => {
  for (const body of bodies(schema)) {
    for (const { message } of issuesOf(schema, body)) {
      expect(message).toMatch(SENTENCE);
      // In a list it is a state of WhatsApp instances.
      expect(message).not.toMatch(/Invalid input|undefined(?!,)|received/);
    }
  }
});

/** The third argument of every `invalid(field, rule, message)` of a source, as far as it is written there. */
function* refusalsOf(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const call = node as { type?: string; callee?: { name?: string }; arguments?: any[] };
  const said = call.type === 'CallExpression' && call.callee?.name === 'invalid';
  const text = said ? call.arguments![2] : null;
  if (text?.type === 'Literal') yield text.value;
  if (text?.type === 'TemplateLiteral')
    yield text.quasis.map((part: any) => part.value.cooked).join('X');
  for (const inner of Object.values(node)) yield* refusalsOf(inner);
}

test('refusals are written as sentences', async () => {
  const files = (await sourceFiles()).filter((file) => file.startsWith('apps/api/src/'));
  const found = files.flatMap((file) => [...refusalsOf(parseAst(read(file), { lang: 'ts' }))]);
  expect(found.length).toBeGreaterThan(20);
  for (const text of found) expect(sentence(text)).toMatch(SENTENCE);
});
