import { expect, test } from 'vitest';
import { patterns, templates } from '@heliograph/contract';
import * as z from 'zod';
import { limitOf } from './limits.ts';

const schema = z.strictObject({
  name: z.string().trim().max(50).min(1),
  note: z.string().max(20).nullable().optional(),
  code: z
    .string()
    .max(8)
    .transform((text) => text.toUpperCase()),
  data: z.object({ rows: z.array(z.object({ text: z.string().max(3) })) }),
  kind: z.enum(['a', 'b']),
  count: z.number().max(9),
  plain: z.string(),
});

test.each([
  ['name', 50],
  ['note', 20],
  ['code', 8],
  ['data.rows.4.text', 3],
  ['kind', undefined],
  ['count', undefined],
  ['plain', undefined],
  ['missing.path', undefined],
])('reads the limit of %s from the schema', (path, limit) => {
  expect(limitOf(schema, path)).toBe(limit);
});

test('reads the bodies of the contract', () => {
  expect(limitOf(patterns.create.body, 'title')).toBe(50);
  expect(limitOf(patterns.update.body, 'mccmnc')).toBe(6);
  expect(limitOf(templates.update.body, 'title')).toBe(50);
  expect(limitOf(undefined, 'title')).toBeUndefined();
});
