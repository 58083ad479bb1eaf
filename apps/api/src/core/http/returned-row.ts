import type { Endpoint } from '@heliograph/contract';
import * as z from 'zod';

/**
 * The body of an update without the fields of the row that cannot be changed, if it is the row as it was read: clients of the
 * specification change a field and put back the whole row. A row is known by its id, or without one by its owner; other bodies
 * are returned as they are, so that a field that cannot be changed is refused where it is meant to be changed.
 */
export function withoutReadOnly(
  { method, body: input, response }: Endpoint,
  body: unknown,
  id: string | undefined,
  OwnerId: string | undefined,
): unknown {
  if (method !== 'PUT' || !isObject(body) || !input) return body;
  const isRow = id === undefined ? body.OwnerId === OwnerId : body.id === id;
  return isRow ? strip(body, input, response) : body;
}

function strip(value: unknown, input: z.ZodType, output: z.ZodType | undefined): unknown {
  const accepted = shapeOf(input);
  const shown = output && shapeOf(output);
  if (!isObject(value) || !accepted || !shown) return value;
  const known = (shape: z.ZodRawShape, name: string) => Object.hasOwn(shape, name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => known(accepted, name) || !known(shown, name))
      .map(([name, one]) => [
        name,
        known(accepted, name) && known(shown, name)
          ? strip(one, accepted[name] as z.ZodType, shown[name] as z.ZodType)
          : one,
      ]),
  );
}

/** The fields of an object schema, also of one that is optional, nullable or has a default. */
function shapeOf(schema: z.ZodType): z.ZodRawShape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? shapeOf(schema.unwrap() as z.ZodType) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
