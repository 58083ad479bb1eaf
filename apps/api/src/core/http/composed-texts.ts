import { composeText } from '@heliograph/domain';

/** A value of a request with its texts in NFC (`composeText`). Names of fields stay. */
export function composedTexts(value: unknown): unknown {
  if (typeof value === 'string') return composeText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = composedTexts(value[i]);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) fields[name] = composedTexts(fields[name]);
  return fields;
}
