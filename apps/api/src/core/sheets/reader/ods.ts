import { type Archive, CONTENT } from './archive.ts';
import { tooLarge } from './file-error.ts';
import { decoded } from './xml.ts';

const MAX_SHEETS = 1000;
/** Bytes from one tag to the next. */
const MAX_TEXT = 1024 * 1024;

/** The sheet names of an OpenDocument in document order. Reads the whole part. */
export async function odsNames(archive: Archive): Promise<string[]> {
  const names: string[] = [];
  let rest = '';
  for await (const chunk of (await archive.part(CONTENT)).setEncoding('utf8')) {
    rest += chunk as string;
    const last = rest.lastIndexOf('<');
    for (const [, attributes] of rest.slice(0, last).matchAll(/<(?:\w+:)?table(\s[^<>]*)?>/g))
      names.push(decoded(/\stable:name="([^"]*)"/.exec(attributes ?? '')?.[1] ?? ''));
    rest = rest.slice(Math.max(0, last));
    if (rest.length > MAX_TEXT || names.length > MAX_SHEETS) throw tooLarge();
  }
  return names;
}
