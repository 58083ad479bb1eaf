import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { trimmed } from './fields.ts';
import { SendingType } from './types.ts';

export const TONES = ['neutral', 'friendly', 'joyful', 'formal', 'urgent'] as const;
export const GeneratorLanguage = z.enum(LOCALES);
export type GeneratorLanguage = z.infer<typeof GeneratorLanguage>;

const optional = (max: number) => trimmed(max).default('');
const required = (max: number) =>
  trimmed(max).refine(Boolean, { message: 'A text is required.', params: { rule: 'required' } });

/** What a text is generated from; the names are the specification's. */
export const GeneratorForm = z.strictObject({
  messageTheme: required(200),
  occasion: required(200),
  /** How long it may be: parts of an SMS, characters of anything else. */
  smsSegments: z.int().min(1).max(10).default(1),
  otherChars: z.int().min(1).max(1000).default(100),
  additionalNotes1: optional(500),
  /** A text to say in other words. */
  rephraseText: optional(2000),
  /** Does it end with a question? */
  endQuestion: z.boolean().default(false),
  emotionalTone: z.enum(TONES).default('neutral'),
  language: GeneratorLanguage.default('en'),
  addEmojis: z.boolean().default(false),
});
export type GeneratorForm = z.infer<typeof GeneratorForm>;

export const textGenerator = {
  /** 429 tells in `payload.expires_at` when to come again. */
  generate: endpoint('POST', '/n/message-payload-generator/text', {
    body: z.strictObject({ formValues: GeneratorForm, channel: SendingType }),
    response: z.object({ result: z.string() }),
    can: 'sendings.generate',
    summary: 'A text for a message, from what it is to say',
  }),
};
