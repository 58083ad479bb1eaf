/**
 * A language of a template's texts as a tag of BCP 47, in its usual case: a language, possibly a script and a region, such as `de`, `pt-BR`
 * or `zh-Hant`.
 */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
export const MAX_LANGUAGE_TAG = 12;

const normal = (tag: string) => tag.toLowerCase().replaceAll('_', '-');
const languageOf = (tag: string) => normal(tag).split('-', 1)[0];

/**
 * The translation for a person's language: the one of the same tag, else the first of the same language. Case does not matter, and `_` stands
 * for `-`. Undefined without one: the texts of the template itself apply.
 * `translationFor([{ locale: 'pt-BR' }, { locale: 'de' }], 'pt')` is the first, and so it is for `pt_PT`.
 */
export function translationFor<T extends { locale: string }>(
  translations: readonly T[],
  wanted: string | undefined,
): T | undefined {
  if (!wanted) return undefined;
  return (
    translations.find(({ locale }) => normal(locale) === normal(wanted)) ??
    translations.find(({ locale }) => languageOf(locale) === languageOf(wanted))
  );
}

/** A message with the texts of a translation in place of its own; those of fallbacks by their order. What a translation does not have stays. */
export const translated = <M extends { payload: object; fallbacks: readonly object[] }>(
  message: M,
  by: { payload: object; fallbacks: readonly object[] } | undefined,
): M =>
  by
    ? {
        ...message,
        payload: { ...message.payload, ...by.payload },
        fallbacks: message.fallbacks.map((one, i) => ({
          ...one,
          payload: { ...(one as { payload?: object }).payload, ...by.fallbacks[i] },
        })),
      }
    : message;
