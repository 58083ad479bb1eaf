import { ApiError, GeneratorForm, type SendingType } from '@heliograph/contract';
import type * as z from 'zod';

/** What a person fills in; a number is what its field says. */
export interface GeneratorValues extends Required<
  Omit<z.input<typeof GeneratorForm>, 'smsSegments' | 'otherChars'>
> {
  smsSegments: string;
  otherChars: string;
}

export const NO_GENERATOR: GeneratorValues = {
  messageTheme: '',
  occasion: '',
  smsSegments: '1',
  otherChars: '100',
  additionalNotes1: '',
  rephraseText: '',
  endQuestion: false,
  emotionalTone: 'neutral',
  language: 'en',
  addEmojis: false,
};

/** The length that counts on a channel, and its bounds. */
export const lengthOf = (channel: SendingType) =>
  channel === 'sms'
    ? ({ name: 'smsSegments', min: 1, max: 10 } as const)
    : ({ name: 'otherChars', min: 1, max: 1000 } as const);

/** The form as the server takes it; a length that is not asked for is left to its default. */
export function toForm(
  values: GeneratorValues,
  channel: SendingType,
): z.input<typeof GeneratorForm> {
  const { smsSegments: _, otherChars: __, ...rest } = values;
  const { name } = lengthOf(channel);
  return { ...rest, [name]: values[name].trim() ? Number(values[name]) : Number.NaN };
}

/** Broken rules by field. */
export function generatorErrors(
  values: GeneratorValues,
  channel: SendingType,
): Partial<Record<keyof GeneratorValues, string>> {
  const { error } = GeneratorForm.safeParse(toForm(values, channel));
  const { name } = lengthOf(channel);
  return Object.fromEntries(
    (error?.issues ?? []).map(({ path: [field], ...issue }) => {
      const rule = issue.code === 'custom' ? issue.params?.rule : issue.code;
      return [field, field === name ? 'range' : rule];
    }),
  );
}

/** When a refused request may be made again, in Unix milliseconds; null when it was refused for another reason. */
export function expiryOf(error: unknown, now: number): number | null {
  if (!(error instanceof ApiError) || error.status !== 429) return null;
  const at = Date.parse(String(error.body.payload?.expires_at));
  return Number.isNaN(at) ? now + 60_000 : at;
}
