import { GeneratorForm, type SendingType } from '@heliograph/contract';
import type * as z from 'zod';
import { ruleOf } from '../../../core/errors.ts';

/** The form's values; numbers are the texts of their fields. */
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

/** The request body; an empty length is left to the server's default. */
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
    (error?.issues ?? []).map((issue) => {
      const [field] = issue.path;
      return [field, field === name ? 'range' : ruleOf(issue)];
    }),
  );
}
