import { globSync } from 'node:fs';

/** A page `en/api/HTTP-REST.md` or a picture `images/en/home.webp`. */
const DOCUMENT =
  /^(?:[a-z]{2}\/[\w-]{1,60}(?:\/[\w-]{1,60}){1,3}\.md|images\/[a-z]{2}\/[\w-]{1,60}\.(?:webp|png))$/;

/** The files of the folder that may be served, by their paths in it. No other path is ever read. */
export function findFiles(folder: string): Set<string> {
  const found = globSync(['[a-z][a-z]/**/*.md', 'images/[a-z][a-z]/*.{webp,png}'], { cwd: folder });
  return new Set(found.filter((path) => DOCUMENT.test(path)));
}
