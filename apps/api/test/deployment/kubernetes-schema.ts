import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of each type its fields with their types, a required one with `!` before it. */
type Types = Record<string, Record<string, string>>;

const { types, kinds } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'kubernetes-fields.json'), 'utf8'),
) as { types: Types; kinds: Record<string, { apiVersion: string; type: string }> };

export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

const NUMBER = /^[+-]?\d+(\.\d+)?(m|[kMGTPE]i?)?$/;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the API of Kubernetes refuses of a resource when it validates strictly; empty: nothing. */
export function refusals(resource: Resource): string[] {
  const kind = kinds[resource.kind];
  if (!kind) return [`${resource.kind}: its fields are not in kubernetes-fields.json`];
  if (kind.apiVersion !== resource.apiVersion)
    return [`${resource.kind} is in ${kind.apiVersion}, not in ${resource.apiVersion}`];
  return ofType(resource, kind.type, `${resource.kind} ${resource.metadata.name}`);
}

function ofType(value: unknown, type: string, path: string): string[] {
  const wrong = (isRight: boolean) => (isRight ? [] : [`${path} has to be ${type}`]);
  switch (type) {
    case 'string':
      return wrong(typeof value === 'string');
    case 'number':
      return wrong(Number.isInteger(value));
    case 'boolean':
      return wrong(typeof value === 'boolean');
    case 'IntOrString':
      return wrong(typeof value === 'string' || Number.isInteger(value));
    case 'Quantity':
      return wrong(typeof value === 'string' && NUMBER.test(value));
  }
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list) {
    if (!Array.isArray(value)) return wrong(false);
    return value.flatMap((one, n) => ofType(one, list, `${path}[${n}]`));
  }
  if (!isObject(value)) return wrong(false);
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map)
    return Object.entries(value).flatMap(([name, one]) => ofType(one, map, `${path}.${name}`));
  const fields = types[type];
  if (!fields) return [`${path}: the fields of ${type} are not in kubernetes-fields.json`];
  const missing = Object.keys(fields).filter(
    (name) => fields[name]!.startsWith('!') && value[name] === undefined,
  );
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const of = Object.hasOwn(fields, name) ? fields[name]!.replace('!', '') : undefined;
      return of ? ofType(one, of, `${path}.${name}`) : [`${path}.${name} does not exist`];
    }),
  ];
}
