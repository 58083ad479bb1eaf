import { unreadable } from './file-error.ts';

/** What stands before the first element, with the widths of 16,384 columns. */
const MAX_HEAD = 4 * 1024 * 1024;
/** A row or a string; a row of CSV has 64 kB. */
const MAX_PIECE = 512 * 1024;

export interface Piece {
  /** From the end of the element before up to the end tag of this one: empty elements may stand in front. */
  text: string;
  /** Of the names of elements, with its colon; mostly empty. */
  prefix: string;
}

/**
 * The elements `name` of a part, cut out of the text as it comes. Not a parser of XML: tags are looked for with
 * `indexOf`, so that a broken part costs one pass and no more, and an element is the most that is held.
 */
export async function* pieces(
  part: AsyncIterable<Buffer>,
  root: string,
  name: string,
): AsyncGenerator<Piece, void, void> {
  const decoder = new TextDecoder('utf-8');
  const head = new RegExp(`<(\\w+:|)${root}[\\s>/]`);
  let headLength = 0;
  let rest = '';
  let prefix: string | null = null;
  for await (const chunk of part) {
    let searched = rest.length;
    rest += decoder.decode(chunk, { stream: true });
    if (prefix === null) {
      prefix = head.exec(rest)?.[1] ?? null;
      if (prefix === null) {
        // What was searched is not searched again, but for a tag that may have been cut in two.
        const kept = Math.max(0, rest.lastIndexOf('<'));
        headLength += kept;
        rest = rest.slice(kept);
        if (headLength + rest.length > MAX_HEAD) throw tooLong();
        continue;
      }
      searched = 0;
    }
    if (rest.length > MAX_HEAD + MAX_PIECE) throw tooLong();
    const end = `</${prefix}${name}>`;
    let from = 0;
    let to = rest.indexOf(end, searched - end.length);
    for (; to >= 0; to = rest.indexOf(end, from)) {
      yield { text: withoutMarkup(rest.slice(from, to)), prefix };
      from = to + end.length;
    }
    rest = rest.slice(from);
    if (rest.length > MAX_PIECE) throw tooLong();
  }
}

/** Without comments, and with sections of CDATA written as other text is. */
function withoutMarkup(text: string): string {
  if (!text.includes('<!')) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('<!'); at >= 0; at = text.indexOf('<!', from)) {
    const isData = text.startsWith('<![CDATA[', at);
    const end = text.indexOf(isData ? ']]>' : '-->', at);
    if (end < 0) break;
    parts.push(text.slice(from, at));
    if (isData) parts.push(escaped(text.slice(at + '<![CDATA['.length, end)));
    from = end + 3;
  }
  return parts.join('') + text.slice(from);
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function tooLong() {
  return unreadable('A row of the workbook is longer than any contact');
}

/** A text of a workbook without styles and phonetic readings. */
export function textOfRuns(inside: string, prefix: string): string {
  const reading = inside.indexOf(`<${prefix}rPh`);
  const base = reading < 0 ? inside : inside.slice(0, reading);
  return elements(base, `${prefix}t`).map(decoded).join('');
}

/** The texts of the elements of a name, one after another. */
export function elements(text: string, name: string): string[] {
  const found: string[] = [];
  const end = `</${name}>`;
  for (let at = text.indexOf(`<${name}`); at >= 0; at = text.indexOf(`<${name}`, at)) {
    const head = text.indexOf('>', at);
    if (head < 0) break;
    const isIt = /[\s>]/.test(text[at + name.length + 1]!) && text[head - 1] !== '/';
    at = head + 1;
    if (!isIt) continue;
    const close = text.indexOf(end, at);
    if (close < 0) break;
    found.push(text.slice(at, close));
    at = close + end.length;
  }
  return found;
}

export function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}=`);
  if (at < 0) return undefined;
  const start = at + name.length + 3;
  const close = attributes.indexOf(attributes[start - 1]!, start);
  return close < 0 ? undefined : attributes.slice(start, close);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** A text as it was written: without entities, and without what spreadsheets write for what XML cannot hold. */
export function decoded(text: string): string {
  if (!text.includes('&')) return unescaped(text);
  const plain = text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (all, hex, dec, name) => {
      if (name) return ENTITIES[name as string] ?? (all as string);
      const code = hex ? parseInt(hex as string, 16) : Number(dec);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
  return unescaped(plain);
}

/** `_x000D_` is a carriage return. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-F]{4})_/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}
