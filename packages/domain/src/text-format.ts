import { UNSUBSCRIBE_VARIABLE, type WriteValue } from './variables.ts';

/** How the text of an e-mail is written: as it is, or in Markdown, which is sent as HTML beside a plain text. */
export const TEXT_FORMATS = ['plain', 'markdown'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Maximum length of a text in Markdown, as each rendering is parsed. */
export const MAX_MARKDOWN_LENGTH = 20_000;

/** An address that has begun and not ended: of a link or an image, or by itself. */
const IN_ADDRESS = /(?:\]\([^\s()]*|https?:\/\/[^\s<>()[\]]*)$/i;
/** No longer addresses are looked for. */
const MAX_ADDRESS = 2048;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** What ends an address, or has no place in it. */
const OUT_OF_ADDRESS = /[\s\p{Cc}"'()<>[\\\]^`{|}]/gu;
const BREAKS = /[\r\n\u2028\u2029\t]+/g;

const encoded = (char: string) =>
  encodeURIComponent(char).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The value of a variable in a text in Markdown is shown as it stands, and is never markup: nobody's name becomes a link. As a part of
 * an address it is encoded; as a whole one it keeps its form. The link to unsubscribe is ours.
 * `writeInMarkdown('firstName', 'Hi ')('*Anna*')` is `\\*Anna\\*`.
 */
export const writeInMarkdown: WriteValue = (name, before) => {
  if (name === UNSUBSCRIBE_VARIABLE) return (value) => value;
  const end = before.slice(-MAX_ADDRESS);
  const change: (line: string) => string = end.endsWith('](')
    ? (line) => line.replace(OUT_OF_ADDRESS, encoded)
    : IN_ADDRESS.test(end)
      ? encoded
      : (line) => line.replace(PUNCTUATION, (char) => `\\${char}`);
  return (value) => change(value.toWellFormed().replace(BREAKS, ' ').trim());
};
