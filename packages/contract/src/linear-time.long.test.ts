import { expect, test } from 'vitest';
import * as z from 'zod';
import { ADVERSARIAL_TEXTS, findSuperlinear } from '../../domain/src/testing/complexity.ts';
import { INPUTS, wire, within } from './testing/inputs.ts';

interface Node {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Node[];
  items?: Node;
  minItems?: number;
  prefixItems?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node;
}

/** A value for a schema, with the text in every string. */
function filled(node: Node, text: string): unknown {
  if (node.const !== undefined) return node.const;
  // The type with the highest text limit.
  if (node.enum) return node.enum.includes('email') ? 'email' : node.enum[0];
  if (node.anyOf) return filled(node.anyOf.at(-1)!, text);
  if (node.type === 'string') return text;
  if (node.type === 'array')
    return node.prefixItems?.map((one) => filled(one, text)) ?? [filled(node.items ?? {}, text)];
  if (node.type !== 'object') return node.type === 'boolean' ? true : 1;
  const known = Object.entries(node.properties ?? {}).map(([k, v]) => [k, filled(v, text)]);
  const own = typeof node.additionalProperties === 'object';
  const more = own ? [[text, filled(node.additionalProperties!, text)]] : [];
  return Object.fromEntries([...known, ...more]);
}

test.each(INPUTS)(
  '%s parses adversarial texts of 100,000 characters in linear time',
  (_, schema) => {
    const node = wire(schema) as Node;
    expect(findSuperlinear((text) => schema.safeParse(filled(node, text)))).toEqual([]);
  },
);

test('every string schema parses adversarial texts in linear time', () => {
  const all = INPUTS.flatMap(([, schema]) => [...within(schema)]);
  const texts = new Set(all.filter(({ _zod: { def } }) => def.type === 'string'));
  expect(texts.size).toBeGreaterThan(50);
  const names = ['an e-mail with dots and an end', 'combining marks', 'digits', 'spaces'];
  const adversarial = Object.fromEntries(names.map((name) => [name, ADVERSARIAL_TEXTS[name]!]));
  for (const schema of texts)
    expect(findSuperlinear((text) => z.safeParse(schema, text), adversarial)).toEqual([]);
});
