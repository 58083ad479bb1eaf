import type { Channel, ChannelOption } from '@heliograph/contract';

/** What stands in the fields of a form: a text each, of a yes or no a boolean. */
export type OptionValues = Record<string, string | boolean>;

/** The fields as a channel has them. What is secret is never shown: its field is empty. */
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

/** The options that the fields say; what is left empty is the driver's to choose, and a secret's stays as it is. */
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

/** What is no number goes as it is: the server says what is wrong with it. */
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
