import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from './index.ts';
import { INPUTS, wire, within } from './testing/inputs.ts';

/** Fields of other programs: bounded by the size of the body, and by what an integration reads of them. */
const FOREIGN = [
  'integrations.receive body',
  'integrations.bitrix24 body',
  'channels.incoming body',
  'channels.callback',
];
const isForeign = (path: string) => FOREIGN.some((body) => path.startsWith(body));
const ITEMWISE = 'channels.statuses body.properties.statuses.items';

interface Node {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: object;
  additionalProperties?: unknown;
}

/** The schemas inside a JSON schema with their paths. Keywords such as `properties` are not schemas themselves. */
function schemasOf(node: unknown, path: string): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const {
    properties = {},
    items,
    prefixItems = [],
    additionalProperties,
    propertyNames,
    ...rest
  } = node as Record<string, unknown>;
  const several = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((key) =>
    ((rest[key] as unknown[] | undefined) ?? []).map((one, i): [string, unknown] => [
      `${key}.${i}`,
      one,
    ]),
  );
  const children: [string, unknown][] = [
    ...Object.entries(properties as object).map(([k, v]): [string, unknown] => [
      `properties.${k}`,
      v,
    ]),
    ...(prefixItems as unknown[]).map((v, i): [string, unknown] => [`prefixItems.${i}`, v]),
    ['items', items],
    ['additionalProperties', additionalProperties],
    ['propertyNames', propertyNames],
    ...several,
  ];
  return [[path, node], ...children.flatMap(([key, child]) => schemasOf(child, `${path}.${key}`))];
}

/** The missing limits of a schema. */
function unbounded([path, node]: [string, Node]): string[] {
  const isChoice = ['anyOf', 'oneOf', 'allOf', 'not'].some((key) => key in node);
  if (node.enum || node.const !== undefined || isChoice) return [];
  if (node.type === undefined) return path === ITEMWISE ? [] : [`${path} takes anything`];
  // Its pattern allows 36 characters only.
  const isFixed = node.format === 'uuid' || node.format === 'date';
  if (node.type === 'string' && !isFixed && node.maxLength === undefined)
    return [`${path} has no maximum length`];
  if (node.type === 'array' && node.maxItems === undefined && !('prefixItems' in node))
    return [`${path} has no maximum size`];
  const isRecord = node.type === 'object' && typeof node.additionalProperties === 'object';
  if (isRecord && node.maxProperties === undefined) return [`${path} has no maximum of keys`];
  return [];
}

test.each(INPUTS.filter(([path]) => !isForeign(path)))(
  '%s limits strings, arrays and records',
  (path, schema) => {
    expect(schemasOf(wire(schema), path).flatMap(unbounded)).toEqual([]);
  },
);

/** Checks of a string schema, in order. */
function checksOf(schema: z.core.$ZodType): { check: string; abort?: boolean }[] {
  const { checks = [] } = schema._zod.def as { checks?: z.core.$ZodCheck[] };
  return checks.map(({ _zod: { def } }) => {
    const { check, abort, tx } = def as { check: string; abort?: boolean; tx?: unknown };
    return { check: check === 'overwrite' ? `overwrite ${String(tx)}` : check, abort };
  });
}

test('checks the length of a string before its other rules and stops there', () => {
  const wrong: string[] = [];
  let texts = 0;
  for (const [path, schema] of INPUTS) {
    for (const inner of within(schema)) {
      const { type, format } = inner._zod.def as { type: string; format?: string };
      if (type !== 'string' || format === 'guid' || format === 'date') continue;
      if (z.globalRegistry.get(inner)?.maxLength) continue;
      texts++;
      const [first, second] = checksOf(inner);
      const length = first?.check.includes('trim') ? second : first;
      if (length?.check !== 'max_length' || !length.abort) wrong.push(path);
    }
  }
  expect(wrong).toEqual([]);
  expect(texts).toBeGreaterThan(100);
});

test('limits the recipients of a string to the maximum of an array', () => {
  const sent = (recipient: string) =>
    contract.sendings.create.body!.safeParse({
      type: 'sms',
      recipient,
      payload: { sender: 'T', text: 'x' },
    });
  expect(sent('a,'.repeat(49_999)).data?.recipient).toHaveLength(49_999);
  expect(sent(`${'a,'.repeat(50_000)}a`).success).toBe(false);
});

/** Programs send the fields of their own address books along; identity providers may add parameters of their own. */
const IGNORING = ['contacts.create body', 'contacts.update body', 'identities.logout body'];

test('refuses unknown fields of a body at every level', () => {
  const bodies = INPUTS.filter(
    ([path]) => path.endsWith(' body') && !isForeign(path) && !IGNORING.includes(path),
  );
  const loose = bodies.flatMap(([path, schema]) =>
    [...within(schema)].flatMap((inner) => {
      const { type, catchall, shape } = inner._zod.def as Partial<z.core.$ZodObjectDef>;
      return type === 'object' && catchall?._zod.def.type !== 'never'
        ? [`${path}: { ${Object.keys(shape!).join(', ')} }`]
        : [];
    }),
  );
  expect(loose).toEqual([]);
});

/** An object that records whether it was read. */
function trap(): { value: object; wasRead: () => boolean } {
  let read = false;
  const recordRead = () => ((read = true), undefined);
  return {
    value: new Proxy({}, { get: recordRead, ownKeys: () => ((read = true), []) }),
    wasRead: () => read,
  };
}

test('refuses arrays and records with too many items without validating the items', () => {
  let seen = 0;
  for (const [path, schema] of INPUTS) {
    for (const inner of within(schema)) {
      if (inner._zod.def.type !== 'pipe') continue;
      const { type, maxItems, maxProperties } = wire(inner as z.ZodType) as Node;
      if (type !== 'array' && maxProperties === undefined) continue;
      seen++;
      const { value, wasRead } = trap();
      const size = (maxItems ?? maxProperties)! + 1;
      const items = Array.from({ length: size }, () => value);
      const given = type === 'array' ? items : Object.fromEntries(items.map((v, i) => [i, v]));
      const { error } = z.safeParse(inner, given);
      expect([path, error?.issues.length, wasRead()]).toEqual([path, 1, false]);
    }
  }
  expect(seen).toBeGreaterThan(20);
});

test('limits every string of a long array and reports only the first violations', () => {
  const recipient = (value: unknown) =>
    contract.templates.create.body!.safeParse({
      title: 'Tea',
      type: 'sms',
      payload: {},
      recipient: { include: value },
    });
  expect(recipient([' +79161234567 ']).data?.recipient?.include).toEqual(['+79161234567']);
  const wrong = recipient(['+79161234567', 'x'.repeat(255), ' ', 5]).error!.issues;
  expect(wrong.map(({ path, code }) => [path.at(-1), code])).toEqual([
    [1, 'too_big'],
    [2, 'too_small'],
    [3, 'invalid_type'],
  ]);
  expect(recipient(Array(1000).fill('')).error!.issues).toHaveLength(10);
});
