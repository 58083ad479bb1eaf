import type { Channel, ChannelOption } from '@heliograph/contract';

/** The form's values: texts, and booleans for checkboxes. */
export type OptionValues = Record<string, string | boolean>;

/** The form's values of a channel. Secrets are never shown: their fields are empty. */
export function valuesOf(defs: ChannelOption[], channel?: Pick<Channel, 'options'>): OptionValues {
  return Object.fromEntries(
    defs.map(({ name, kind, default: preset }) => {
      const value = channel?.options[name];
      if (kind === 'boolean') return [name, (value ?? preset) === true];
      return [name, Array.isArray(value) ? value.join(' – ') : String(value ?? '')];
    }),
  );
}

type OptionValue = string | number | boolean | (string | number)[];

/** The options of the form's values. An empty field is left to the driver's default; an empty secret keeps its value. */
export function toOptions(
  defs: ChannelOption[],
  values: OptionValues,
): Record<string, OptionValue> {
  const options: Record<string, OptionValue> = {};
  for (const { name, kind } of defs) {
    const value = values[name] ?? '';
    const text = typeof value === 'string' ? value.trim() : '';
    if (typeof value === 'boolean') options[name] = value;
    else if (text) options[name] = parsed(kind, text);
  }
  return options;
}

function parsed(kind: ChannelOption['kind'], text: string): OptionValue {
  if (kind === 'integer' || kind === 'number') return numberOr(text);
  return kind === 'range' ? text.split(/[–,;]/).map((part) => numberOr(part.trim())) : text;
}

/** An invalid number is sent as it is, so that the server's error names it. */
function numberOr(text: string): number | string {
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** Whether an address differs from the channel's: then its secrets have to be given again. */
export function isMoved(
  defs: ChannelOption[],
  values: OptionValues,
  channel?: Pick<Channel, 'options'>,
): boolean {
  const before = valuesOf(defs, channel);
  return defs.some(({ name, kind }) => kind === 'url' && values[name] !== before[name]);
}

/** A secret as Standard Webhooks has them: 24 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
