import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { contract } from './index.ts';
import { isListQuery } from './list.ts';
import { Fallback } from './sendings.ts';

it('every list takes the scope with and without its dollar sign, as single rows do', () => {
  const lists = Object.values(contract).flatMap((endpoints) =>
    Object.values(endpoints as Record<string, Endpoint>).filter(
      ({ query }) => query && isListQuery(query),
    ),
  );
  expect(lists.length).toBeGreaterThan(30);
  for (const { path, query } of lists)
    for (const name of ['scope', '$scope']) {
      const { scope } = query!.parse({ [name]: 'full' }) as { scope: string[] };
      expect([path, scope]).toEqual([path, ['full']]);
    }
});

/** The names that an endpoint declares in its query. */
const declared = ({ query }: Endpoint): string[] =>
  query
    ? Object.keys(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    : [];

it('an endpoint that takes `$scope` takes `scope` as well, and of single rows what clients send with every call', () => {
  const scoped = Object.values(contract)
    .flatMap((endpoints) => Object.values(endpoints as Record<string, Endpoint>))
    .filter((one) => declared(one).some((name) => /^\$?scope$/.test(name)));
  expect(scoped.length).toBeGreaterThan(40);
  const singles = scoped.filter(({ query }) => !isListQuery(query!));
  expect(singles.map(({ method, path }) => `${method} ${path}`)).toContain('POST /n/invoices');
  for (const { method, path, query } of scoped)
    for (const name of ['scope', '$scope'])
      for (const given of ['full', ['full'], 'full,full']) {
        const { scope } = query!.parse({ [name]: given }) as { scope: string[] };
        expect([method, path, new Set(scope)]).toEqual([method, path, new Set(['full'])]);
      }
  for (const { method, path, query } of singles)
    expect([method, path, query!.safeParse({ scope: 'full', return: 'meta' }).success]).toEqual([
      method,
      path,
      true,
    ]);
});

it('every list takes its orders in all forms that client programs write', () => {
  const lists = Object.values(contract).flatMap((endpoints) =>
    Object.values(endpoints as Record<string, Endpoint>).filter(
      ({ query }) => query && isListQuery(query),
    ),
  );
  for (const { path, query } of lists) {
    const [{ field }] = (query!.parse({}) as { order: [{ field: string }] }).order;
    const desc = [{ field, direction: 'desc' }];
    const asc = [{ field, direction: 'asc' }];
    const forms: [order: unknown, read: object][] = [
      [[[field, 'desc']], desc],
      [[field, 'DESC'], desc],
      [[field], asc],
      [[`-${field}`], desc],
      [[`${field}:desc`], desc],
      [`-${field}`, desc],
      [`${field} desc`, desc],
      [
        [`-${field}`, field],
        [...desc, ...asc],
      ],
      [
        [[field, 'asc'], `-${field}`],
        [...asc, ...desc],
      ],
    ];
    for (const [$order, order] of forms)
      expect([path, $order, query!.parse({ $order, $limit: '500' })]).toMatchObject([
        path,
        $order,
        { order, limit: 500 },
      ]);
    for (const $order of [['-nothing'], [''], [[]], [{ 0: 'id' }], [`--${field}`], []])
      expect([path, $order, query!.safeParse({ $order }).success]).toEqual([path, $order, false]);
  }
});

/** Whether an object schema, also behind a pipe, keeps or drops what it does not declare. */
function isOpen(schema: unknown): boolean {
  const { in: inner, _zod } = schema as { in?: unknown; _zod: { def: { catchall?: unknown } } };
  if (inner) return isOpen(inner);
  return (_zod.def.catchall as { _zod?: { def: { type: string } } })?._zod?.def.type !== 'never';
}

it('every query refuses unknown parameters, except of calls that others add parameters to', () => {
  const open = Object.values(contract)
    .flatMap((endpoints) => Object.values(endpoints as Record<string, Endpoint>))
    .filter(({ query, anyQuery }) => query && !anyQuery && isOpen(query));
  expect(open.map(({ path }) => path)).toEqual([]);
});

it('a fallback takes its options by either name, and by both only if they are equal', () => {
  const options = { onStatus: ['failed'], onTimeout: null };
  const item = { type: 'sms', payload: { sender: 'TEA', text: 'Tea' } };
  const same = { onTimeout: null, onStatus: ['failed'] };
  for (const given of [{ options }, { $options: options }, { options, $options: same }])
    expect(Fallback.parse({ ...item, ...given }).options.onStatus).toEqual(['failed']);
  const other = { ...item, options, $options: { onStatus: ['sent'] } };
  expect(Fallback.safeParse(other).error?.issues).toMatchObject([{ path: ['$options'] }]);
});
