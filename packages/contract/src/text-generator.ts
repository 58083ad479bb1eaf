import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { trimmedLines } from './fields.ts';
import { SendingType } from './types.ts';

export const TONES = ['neutral', 'friendly', 'joyful', 'formal', 'urgent'] as const;
export const GeneratorLanguage = z.enum(LOCALES);
export type GeneratorLanguage = z.infer<typeof GeneratorLanguage>;

const optional = (max: number) => trimmedLines(max).default('');
const required = (max: number) =>
  trimmedLines(max).refine(Boolean, {
    message: 'A text is required.',
    params: { rule: 'required' },
  });

/** Parameters of a generated text, named as in the specification. */
export const GeneratorForm = z.strictObject({
  messageTheme: required(200),
  occasion: required(200),
  /** Maximum length: segments of an SMS, characters of other types. */
  smsSegments: z.int().min(1).max(10).default(1),
  otherChars: z.int().min(1).max(1000).default(100),
  additionalNotes1: optional(500),
  /** Text to rephrase. */
  rephraseText: optional(2000),
  endQuestion: z.boolean().default(false),
  emotionalTone: z.enum(TONES).default('neutral'),
  language: GeneratorLanguage.default('en'),
  addEmojis: z.boolean().default(false),
});
export type GeneratorForm = z.infer<typeof GeneratorForm>;

export const textGenerator = {
  /** With 429, `payload.expires_at` is the time of the next allowed request. */
  generate: endpoint('POST', '/n/message-payload-generator/text', {
    bound: 'limiter',
    body: z.strictObject({ formValues: GeneratorForm, channel: SendingType }),
    response: z.object({ result: z.string() }),
    can: 'sendings.generate',
    summary: 'Generate a text for a message',
  }),
};
