import { type Archive, CONTENT, tooLarge } from './archive.ts';
import { decoded } from './xml.ts';

/** More than a file of contacts has. */
const MAX_SHEETS = 1000;
/** From one tag to the next. */
const MAX_TEXT = 1024 * 1024;

/** The names of the sheets of an OpenDocument, in the order in which they begin. The part has been unpacked to its end by then. */
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
