import { DESCRIPTIONS } from '@heliograph/contract/descriptions';

/** The part of JSON Schema that the documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const isNull = ({ type }: Schema) => type === 'null';
/** The schema of a nullable field without null. */
function withoutNull(schema: Schema): Schema {
  const others = (schema.anyOf ?? schema.oneOf)?.filter((one) => !isNull(one));
  return others?.length === 1 ? others[0]! : schema;
}

/** Whether a field needs an example. Those of objects are built from the examples of their fields. */
function needsExample(schema: Schema): boolean {
  const { $ref, type, enum: values, const: value, properties, items } = withoutNull(schema);
  const isBytes = withoutNull(schema).format === 'binary';
  if ($ref || values || value !== undefined || properties || type === 'boolean' || isBytes)
    return false;
  return items && Object.keys(items).length ? needsExample(items) : true;
}

/** Adds the descriptions of the contract's table to a document, and collects missing and unused entries. */
export class Descriptions {
  readonly missing = new Set<string>();
  private readonly used = new Set<string>();

  /** Keys of the table that were not used. */
  get unused(): string[] {
    return Object.keys(DESCRIPTIONS).filter((key) => !this.used.has(key));
  }

  /** Describes a schema and all of its fields, in place. `path` begins with its name in the document. */
  schema(schema: Schema, path: string[]): void {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      this.field(field, [...path, name]);
      this.schema(field, [...path, name]);
    }
    const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
    for (const part of [items, additionalProperties, ...anyOf, ...oneOf, ...allOf])
      if (part && typeof part === 'object') this.schema(part, path);
  }

  /** Describes a named schema. A description of the schema itself is optional. */
  named(schema: Schema, name: string): void {
    this.put(schema, DESCRIPTIONS[name] && name);
    this.schema(schema, [name]);
  }

  field(field: Schema, path: string[]): void {
    const key = keyOf(path);
    this.put(field, key);
    if (!field.description || (needsExample(field) && !field.examples))
      this.missing.add(path.join('.'));
  }

  /** The example of a response by its status: `sendings.create.400`. */
  example(path: string[]): unknown {
    const key = path.join('.');
    if (!Object.hasOwn(DESCRIPTIONS, key)) return undefined;
    this.used.add(key);
    return DESCRIPTIONS[key]!.example;
  }

  private put(schema: Schema, key: string | undefined): void {
    if (!key) return;
    this.used.add(key);
    const { description, example } = DESCRIPTIONS[key]!;
    schema.description ??= description;
    if (example === undefined) return;
    const isOne = schema.type === 'array' && !Array.isArray(example);
    schema.examples ??= [isOne ? [example] : example];
  }
}

/** `Sending.meta.billing.amount`, else `meta.billing.amount`, else `billing.amount`, else `amount`. */
function keyOf(path: string[]): string | undefined {
  for (let from = 0; from < path.length; from++) {
    const key = path.slice(from).join('.');
    if (Object.hasOwn(DESCRIPTIONS, key)) return key;
  }
  return undefined;
}

/** Builds an example of a described schema from the examples of its fields. */
export function exampleOf(schema: Schema, named: Record<string, Schema>): unknown {
  const { $ref, examples, enum: values, properties, items, type } = schema;
  if (examples) return examples[0];
  if ($ref) return exampleOf(named[$ref.split('/').at(-1)!]!, named);
  if (schema.const !== undefined) return schema.const;
  if (values) return values[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return exampleOf(
      choices.find((one) => !isNull(one))!,
      named,
    );
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, exampleOf(field, named)]),
    );
  if (items) return Array.from({ length: schema.minItems || 1 }, () => exampleOf(items, named));
  return type === 'boolean' ? (schema.default ?? true) : {};
}
