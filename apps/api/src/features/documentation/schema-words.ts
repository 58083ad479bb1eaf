import type { Schema as Described } from '../../core/http/descriptions.ts';

/** JSON Schema of the API document, with its limits. */
export interface Schema extends Described {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
}
export type Named = Record<string, Schema>;

export interface Row {
  name: string;
  type: string;
  isRequired: boolean;
  meaning: string;
}

/** Nested fields deeper than this are described by their object. */
const MAX_DEPTH = 3;

export function resolve(schema: Schema, named: Named): Schema {
  return schema.$ref ? (named[schema.$ref.split('/').at(-1)!] ?? {}) : schema;
}

/** `string, 1–100 characters`, `integer, 0–10000`, `array of string, at most 20`. */
export function typeOf(given: Schema, named: Named): string {
  const schema = resolve(given, named);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeOf(one, named)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' | ');
  const type = [schema.type ?? 'object'].flat().join(' | ');
  if (type === 'array') {
    const count = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`;
    return `array of ${schema.items ? typeOf(schema.items, named) : 'any'}${count}`;
  }
  const format = schema.format ? ` (${schema.format})` : '';
  return `${type}${format}${limitsOf(schema)}`;
}

/** Limits of numbers that only say that they are safe integers are left out. */
const isLimit = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function limitsOf({ minLength, maxLength, minimum, maximum, exclusiveMinimum }: Schema): string {
  if (maxLength !== undefined)
    return `, ${minLength ? `${minLength}–` : 'at most '}${maxLength} characters`;
  if (minLength) return `, at least ${minLength} characters`;
  if (isLimit(minimum) && isLimit(maximum)) return `, ${minimum}–${maximum}`;
  if (isLimit(maximum)) return `, at most ${maximum}`;
  if (isLimit(exclusiveMinimum)) return `, above ${exclusiveMinimum}`;
  return isLimit(minimum) ? `, at least ${minimum}` : '';
}

/** Fields of an object with those of its objects: `payload.text`, `fallbacks[].type`. */
export function rowsOf(given: Schema, named: Named, prefix = '', depth = 1): Row[] {
  const schema = objectOf(given, named);
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = resolve(field, named);
    const isList = own.type === 'array';
    const path = `${prefix}${name}`;
    const row = {
      name: path,
      type: typeOf(field, named),
      isRequired: required.includes(name),
      meaning: field.description ?? own.description ?? '',
    };
    const inner = isList ? own.items : field;
    if (!inner || depth >= MAX_DEPTH) return [row];
    return [row, ...rowsOf(inner, named, `${path}${isList ? '[]' : ''}.`, depth + 1)];
  });
}

/** The object among the alternatives of a field. */
function objectOf(given: Schema, named: Named): Schema {
  const schema = resolve(given, named);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const found = choices?.map((one) => objectOf(one, named)).find(({ properties }) => properties);
  return schema.properties ? schema : (found ?? {});
}
