import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { MAX_MONEY, Money } from './fields.ts';
import { contract } from './index.ts';

/** Every number of a request must have a minimum and a maximum within the range of its column in Postgres. */
const MAX_INTEGER = 2 ** 31 - 1;

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const ENDPOINTS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, def]) => ({
    name: `${noun}.${verb}`,
    def,
  })),
);

function numbersOf(node: unknown, path: string): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, ...rest } = node as Node;
  const isOpen = rest.const === undefined && rest.enum === undefined;
  const own: [string, Node][] =
    (type === 'number' || type === 'integer') && isOpen ? [[path, node]] : [];
  return [
    ...own,
    ...Object.entries(node).flatMap(([key, child]) => numbersOf(child, `${path}.${key}`)),
  ];
}

function inputNumbers(def: Endpoint): [string, Node][] {
  return (['params', 'query', 'body'] as const).flatMap((part) =>
    def[part]
      ? numbersOf(z.toJSONSchema(def[part], { io: 'input', unrepresentable: 'any' }), part)
      : [],
  );
}

test.each(ENDPOINTS)('$name limits every number of its request', ({ def }) => {
  for (const [path, node] of inputNumbers(def)) {
    const { type, minimum = node.exclusiveMinimum, maximum = node.exclusiveMaximum } = node;
    const most = type === 'integer' ? MAX_INTEGER : MAX_MONEY;
    expect([path, minimum, maximum]).toEqual([path, expect.any(Number), expect.any(Number)]);
    expect([path, minimum! >= -most - 1 && maximum! <= most]).toEqual([path, true]);
  }
});

test('finds the numbers of a schema', () => {
  const paths = ENDPOINTS.flatMap(({ name, def }) =>
    inputNumbers(def).map(([path]) => `${name} ${path}`),
  );
  expect(paths).toEqual(
    expect.arrayContaining([
      'billings.create body.properties.amount',
      'billings.create body.properties.data.properties.multiplier',
      'billings.find query.properties.$offset',
      'channels.update body.properties.priority',
    ]),
  );
});

test.each([0.1 + 0.2, 0.00001, 1e-7, 1e12, 1e21, 1e308, -1e10, Infinity, NaN, '1'])(
  '%s is no amount',
  (amount) => {
    expect(Money.safeParse(amount).success).toBe(false);
  },
);
test.each([0, 0.3, 90.1234, -5, 999_999_999.9999, MAX_MONEY])('%d is an amount', (amount) => {
  expect(Money.parse(amount)).toBe(amount);
});
