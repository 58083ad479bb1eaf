import { printedText } from '@heliograph/domain';
import type { Content, Style } from 'pdfmake';

/** A word that is longer may not fit a column of a table, so it may be broken anywhere. */
const MAX_WORD_LENGTH = 24;
const LONG_WORD = new RegExp(`[^\\s-]{${MAX_WORD_LENGTH + 1}}`);

/** Text as it is: pdfmake knows no markup. */
export function textOf(
  text: string,
  { alignment, ...style }: Style & { alignment?: Style['alignment'] | undefined } = {},
): Content & { text: string } {
  const printable = printedText(text);
  return {
    text: printable,
    ...style,
    ...(alignment && { alignment }),
    ...(LONG_WORD.test(printable) && { wordBreak: 'break-all' as const }),
  };
}

/** Parts of a line that are not empty. */
export const joined = (...parts: (string | false)[]): string => parts.filter(Boolean).join(', ');
