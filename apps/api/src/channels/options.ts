import type { z } from 'zod';

import { type ChannelSettings, InvalidOptions } from './channel.ts';

/**
 * The options of a channel as its driver understands them; throws InvalidOptions that names every
 * wrong field. Schemas are strict: a misspelt option must not be an option that silently does
 * nothing.
 */
export function parseOptions<S extends z.ZodType>(
  channel: ChannelSettings,
  schema: S,
): z.output<S> {
  const parsed = schema.safeParse(channel.options);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.') || 'options',
    message: issue.message,
  }));
  throw new InvalidOptions(channel.name, issues);
}
