import type { core } from 'zod';
import type { FormSchema } from './field-errors.ts';

/** What is read of a schema: its definition, whatever its kind. */
interface Part {
  _zod: {
    def: {
      type: string;
      innerType?: Part;
      in?: Part;
      shape?: Record<string, Part>;
      element?: Part;
      checks?: { _zod: { def: Partial<core.$ZodCheckMaxLengthDef> } }[];
    };
  };
}

/** The schema itself, which may be absent, null or read by another one. */
function plain(part: Part): Part {
  const { innerType, in: read } = part._zod.def;
  const inner = innerType ?? read;
  return inner ? plain(inner) : part;
}

/** The most characters that the schema of a body takes in a field; undefined where it names none. */
export function limitOf(schema: FormSchema | undefined, path: string): number | undefined {
  let part = schema as unknown as Part | undefined;
  for (const key of path.split('.')) {
    const { shape, element } = part ? plain(part)._zod.def : {};
    part = shape?.[key] ?? element;
  }
  if (!part) return undefined;
  const limits = plain(part)._zod.def.checks?.map((check) => check._zod.def.maximum) ?? [];
  return limits.find((limit) => limit !== undefined);
}
