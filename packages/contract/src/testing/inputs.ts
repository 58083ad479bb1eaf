import * as z from 'zod';
import { CarrierReport } from '../channels.ts';
import type { Endpoint } from '../endpoint.ts';
import { contract } from '../index.ts';

/** Everything that a caller may send, by its place in the contract. */
export const INPUTS: [string, z.ZodType][] = [
  ...Object.entries(contract).flatMap(([noun, endpoints]) =>
    Object.entries(endpoints as Record<string, Endpoint>).flatMap(([verb, def]) =>
      (['params', 'query', 'body'] as const).flatMap((part): [string, z.ZodType][] =>
        def[part] ? [[`${noun}.${verb} ${part}`, def[part]]] : [],
      ),
    ),
  ),
  // Its call takes the items one by one.
  ['channels.statuses item', CarrierReport],
];
/** The JSON schema of what a caller writes. */
export const wire = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Every zod schema within another. */
export function within(schema: unknown, found = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  if (typeof schema !== 'object' || schema === null) return found;
  if ('_zod' in schema) {
    const inner = schema as z.core.$ZodType;
    if (found.has(inner)) return found;
    found.add(inner);
    // A format is a schema as well, and stands among the checks where it is used as one.
    const { checks: _, ...def } = inner._zod.def as { checks?: unknown };
    within(def, found);
  } else for (const value of Object.values(schema)) within(value, found);
  return found;
}
