import type { Readable } from 'node:stream';
import { tooLarge } from './file-error.ts';
import { pieces, textOfRuns } from './xml.ts';

/** A million rows with three unique cells each. */
const MAX_STRINGS = 3_000_000;

/** The shared strings of a workbook, without styles and phonetic readings. */
export async function sharedStrings(part: Readable): Promise<string[]> {
  const strings: string[] = [];
  for await (const { text, prefix } of pieces(part, 'sst', 'si')) {
    const open = `<${prefix}si`;
    for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
      const head = text.indexOf('>', at);
      if (head < 0) break;
      at = head + 1;
      const isEmpty = text[head - 1] === '/';
      strings.push(isEmpty ? '' : textOfRuns(text.slice(at), prefix));
      if (strings.length > MAX_STRINGS) throw tooLarge();
      if (!isEmpty) break;
    }
  }
  return strings;
}
