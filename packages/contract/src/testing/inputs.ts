import * as z from 'zod';
import { CarrierReport } from '../channels.ts';
import type { Endpoint } from '../endpoint.ts';
import { contract } from '../index.ts';
import { payments } from '../payments.ts';

/** Bodies that acquirers define; their drivers read what they need of them. */
const FOREIGN: z.ZodType[] = [payments.notify.body!];

/** Schemas of all requests, with their location in the contract. */
export const INPUTS: [string, z.ZodType][] = [
  ...Object.entries(contract).flatMap(([noun, endpoints]) =>
    Object.entries(endpoints as Record<string, Endpoint>).flatMap(([verb, def]) =>
      (['params', 'query', 'body'] as const).flatMap((part): [string, z.ZodType][] =>
        def[part] && !FOREIGN.includes(def[part]) ? [[`${noun}.${verb} ${part}`, def[part]]] : [],
      ),
    ),
  ),
  // The handler validates these items one by one.
  ['channels.statuses item', CarrierReport],
];
/** JSON schema of the input of a zod schema. */
export const wire = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** All zod schemas inside a schema. */
export function within(schema: unknown, found = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  if (typeof schema !== 'object' || schema === null) return found;
  if ('_zod' in schema) {
    const inner = schema as z.core.$ZodType;
    if (found.has(inner)) return found;
    found.add(inner);
    // A format is also a schema; used as a check, it is listed among the checks.
    const { checks: _, ...def } = inner._zod.def as { checks?: unknown };
    within(def, found);
  } else for (const value of Object.values(schema)) within(value, found);
  return found;
}
