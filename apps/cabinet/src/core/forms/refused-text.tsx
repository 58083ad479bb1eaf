import { useTranslation } from 'react-i18next';
import { fieldText, type FieldError } from '../errors.ts';

/**
 * Keys of texts by `field.rule`, or by `field` for every rule that only says that the value is malformed. A pair adds the
 * values that the text names.
 */
export type FieldTexts = Record<
  string,
  string | readonly [key: string, values: Record<string, unknown>]
>;

const MALFORMED = ['invalid_format', 'characters', 'length', 'too_small', 'too_big'];

interface RefusedTextProps {
  field: string;
  refused: readonly FieldError[];
  texts?: FieldTexts;
}

/** Why a field was refused, in the current language also after that is changed. */
export function RefusedText({ field, refused, texts = {} }: RefusedTextProps) {
  const { t } = useTranslation();
  const sentences = refused.map((item) => {
    const text =
      texts[`${field}.${item.rule}`] ?? (MALFORMED.includes(item.rule) ? texts[field] : undefined);
    if (!text) return fieldText(t, [item]);
    const [key, values] = typeof text === 'string' ? [text, {}] : text;
    return t(key, values);
  });
  return [...new Set(sentences)].join(' ');
}
