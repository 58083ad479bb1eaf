import type { ChannelOption } from '@heliograph/contract';
import { z } from 'zod';
import { parseWith } from '../core/http/sentences.ts';
import { type DriverDefinition, InvalidOptions } from './channel.ts';

type Options = Record<string, unknown>;

/** Declares that an option may be returned by the API. All other options are secret. `kind`: how a text is written. */
export function publicOption<S extends z.ZodType>(schema: S, kind?: 'json' | 'lines'): S {
  return schema.meta({ isPublic: true, ...(kind && { kind }) });
}

/** The JSON schema of one option. */
interface Property {
  type?: string;
  format?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** The options of a driver in the form of the API, derived from its schema. */
export function optionsOf({ options }: DriverDefinition): ChannelOption[] {
  const { properties = {}, required = [] } = z.toJSONSchema(options, { io: 'input' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    kind: metaOf(options, name)?.kind ?? kindOf(property),
    isSecret: metaOf(options, name)?.isPublic !== true,
    isRequired: required.includes(name),
    default: property.default,
    minimum: property.minimum,
    maximum: property.maximum,
    choices: property.enum,
  }));
}

const metaOf = (options: z.ZodObject, name: string) =>
  z.globalRegistry.get(options.shape[name]!) as
    | { isPublic?: boolean; kind?: ChannelOption['kind'] }
    | undefined;

function kindOf({ type, format, enum: choices }: Property): ChannelOption['kind'] {
  if (choices) return 'choice';
  if (format === 'uri') return 'url';
  if (type === 'array') return 'range';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text';
}

/** Values of a channel's public options, and the names of the secret ones that are set. */
export function shownOptions(
  definition: DriverDefinition | undefined,
  options: Options,
): { options: Options; secrets: string[] } {
  const names = definition ? optionsOf(definition).filter((o) => !o.isSecret) : [];
  const isShown = (name: string) => names.some((option) => option.name === name);
  return {
    options: Object.fromEntries(Object.entries(options).filter(([name]) => isShown(name))),
    secrets: Object.keys(options).filter((name) => !isShown(name)),
  };
}

/** The options that are addresses the driver connects to. */
export function addressesOf(definition: DriverDefinition, options: Options): [string, string][] {
  const names = optionsOf(definition).flatMap(({ kind, name }) => (kind === 'url' ? [name] : []));
  return names.flatMap((name) =>
    typeof options[name] === 'string' ? [[name, options[name]] as [string, string]] : [],
  );
}

/**
 * Replaces options. Secrets are never returned, so a client cannot send them back: one that is not given stays, `null` removes it.
 * A secret belongs to an address; when the address changes, it must be given again.
 */
export function replacedOptions(
  definition: DriverDefinition,
  before: Options,
  given: Options,
): Options {
  const { secrets } = shownOptions(definition, before);
  const isSameAddress =
    JSON.stringify(addressesOf(definition, before)) ===
    JSON.stringify(addressesOf(definition, given));
  const kept = isSameAddress ? secrets.map((name) => [name, before[name]]) : [];
  const all = Object.entries({ ...Object.fromEntries(kept), ...given });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/**
 * The options of a channel as its driver understands them; throws InvalidOptions that names every
 * wrong field. Schemas are strict: a misspelt option must not be an option that silently does
 * nothing.
 */
export function parseOptions<S extends z.ZodType>(
  channel: string,
  schema: S,
  options: Options,
): z.output<S> {
  const read = parseWith(schema, options);
  if ('data' in read) return read.data;
  throw new InvalidOptions(
    channel,
    [...read.issues].map(({ field, message }) => ({ field: field || 'options', message })),
  );
}
