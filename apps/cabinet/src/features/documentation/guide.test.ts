import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type Endpoint } from '@heliograph/contract';
import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { linkTarget } from '../../ui/markdown-links.ts';
import { parseMarkdown, slugOf, textOf, type MarkdownNode } from '../../ui/markdown-parser.ts';
import { createIndex, find, sectionsOf } from './search.ts';

const SRC = join(import.meta.dirname, '../..');
const DOCS = join(SRC, '../../../docs');
const LANGUAGES = ['en', 'ru', 'es'];
const GUIDE = 'platform/user/';
/** Pages that the server makes of the contract. */
const GENERATED = ['api/reference', 'api/errors'];

const pagesOf = (language: string) =>
  globSync('**/*.md', { cwd: join(DOCS, language) }).map((path) => path.replaceAll('\\', '/'));
const parse = (language: string, path: string) =>
  parseMarkdown(readFileSync(join(DOCS, language, path), 'utf8'));
const allOf = (nodes: MarkdownNode[], type: string): MarkdownNode[] =>
  nodes.flatMap((node) => [
    ...(node.token.type === type ? [node] : []),
    ...allOf(node.children, type),
  ]);

/** Every path that the cabinet's router knows. */
const routes = globSync(['features/*/routes.tsx', 'router.tsx'], { cwd: SRC }).flatMap((file) =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:path: |to\()'(\/[^']*)'/g)].map(
    ([, path]) => path!,
  ),
);
/** Headings of the reference, which the server makes of the contract. */
const calls = Object.values(contract).flatMap((group) =>
  (Object.values(group) as Endpoint[]).map(({ method, path }) =>
    slugOf(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  ),
);

function anchorsOf(language: string, page: string): string[] {
  if (page === 'api/reference') return [...Object.keys(contract).map(slugOf), ...calls];
  return parse(language, `${page}.md`).headings.map(({ id }) => id);
}

/** What is wrong with a link; null for links to other sites, which nobody here can check. */
function faultOf(language: string, page: string, href: string): string | null {
  if (/^\{\{\w+\}\}/.test(decodeURIComponent(href))) return null;
  const target = linkTarget(href, `/docs/${language}/${page}`);
  if (!target) return 'not a link';
  if ('href' in target) return null;
  const url = new URL(target.to, 'https://cabinet.invalid');
  const [, name] = /^\/documentation\/(.+)$/.exec(url.pathname) ?? [];
  if (!name) {
    const isKnown = routes.some((path) => matchPath(path, url.pathname));
    return isKnown ? null : 'no such page of the cabinet';
  }
  if (!GENERATED.includes(name) && !pagesOf(language).includes(`${name}.md`)) return 'no such page';
  const id = url.searchParams.get('id');
  return id === null || anchorsOf(language, name).includes(id) ? null : 'no such heading';
}

describe.each(LANGUAGES)('documentation in %s', (language) => {
  it.each(pagesOf(language))('%s: every link leads to a page and a heading that exist', (page) => {
    const faults = allOf(parse(language, page).nodes, 'link_open').flatMap(({ token }) => {
      const href = String(token.attrGet('href'));
      const fault = faultOf(language, page, href);
      return fault ? [`${href}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });

  it.each(pagesOf(language))('%s: every picture is there in the size that it says', (page) => {
    const images = allOf(parse(language, page).nodes, 'image');
    for (const { token } of images) {
      const file = join(DOCS, language, page, '..', String(token.attrGet('src')));
      expect(token.content.length, `words for ${file}`).toBeGreaterThan(10);
      expect(`${file} ${token.attrGet('title')}`).toBe(`${file} ${sizeOf(readFileSync(file))}`);
    }
  });

  it('has the pages and the structure of the others', () => {
    const outline = (of: string) =>
      pagesOf(of)
        .filter((page) => page.startsWith(GUIDE))
        .toSorted()
        .map((page) => ({ page, levels: parse(of, page).headings.map(({ level }) => level) }));
    expect(outline(language)).toEqual(outline('en'));
  });

  it('what is bold in the guide is a text of the interface in this language', () => {
    const known = new Set(textsOf(language).map(plain));
    const unknown = pagesOf(language)
      .filter((page) => page.startsWith(GUIDE))
      .flatMap((page) =>
        allOf(parse(language, page).nodes, 'strong_open')
          .map((node) => textOf(node))
          .filter((label) => !known.has(plain(label)))
          .map((label) => `${page}: ${label}`),
      );
    expect(unknown).toEqual([]);
  });

  it('the pictures of the guide are all shown', () => {
    const shown = pagesOf(language).flatMap((page) =>
      allOf(parse(language, page).nodes, 'image').map(({ token }) =>
        String(token.attrGet('src')).split('/').at(-1),
      ),
    );
    const files = globSync('*.webp', { cwd: join(DOCS, 'images', language) });
    expect(files.toSorted()).toEqual([...new Set(shown)].toSorted());
  });
});

it.each([
  ['en', 'two-factor', 'authenticator'],
  ['ru', 'двухфакторный', 'аутентификатор'],
  ['es', 'verificacion', 'autenticacion'],
])('the search in %s finds words of the guide', (language, ...words) => {
  const sections = pagesOf(language).flatMap((page) =>
    sectionsOf('platform', page, readFileSync(join(DOCS, language, page), 'utf8')),
  );
  const index = createIndex(sections);
  for (const word of words)
    expect(find(index, word).some(({ file }) => file.startsWith(GUIDE))).toBe(true);
});

it.each([
  ['en', 'quick start'],
  ['ru', 'быстрый старт'],
  ['es', 'inicio rapido'],
])('the search in %s finds the quick start first', (language, words) => {
  const sections = pagesOf(language).flatMap((page) =>
    sectionsOf('api', page, readFileSync(join(DOCS, language, page), 'utf8')),
  );
  expect(find(createIndex(sections), words)[0]!.file).toBe('api/quick-start.md');
});

/** Width and height of a WebP file. */
function sizeOf(bytes: Buffer): string {
  const kind = bytes.toString('latin1', 12, 16);
  const mask = 0x3fff;
  if (kind === 'VP8 ') return `${bytes.readUInt16LE(26) & mask}x${bytes.readUInt16LE(28) & mask}`;
  if (kind === 'VP8X') return `${bytes.readUIntLE(24, 3) + 1}x${bytes.readUIntLE(27, 3) + 1}`;
  const bits = bytes.readUInt32LE(21);
  return `${(bits & mask) + 1}x${((bits >> 14) & mask) + 1}`;
}

function textsOf(language: string): string[] {
  const strings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(strings);
  return globSync('*.json', { cwd: join(SRC, 'locales', language) }).flatMap((file) =>
    strings(JSON.parse(readFileSync(join(SRC, 'locales', language, file), 'utf8'))),
  );
}

/** A value in a text, quoted or not, is an ellipsis in the guide: “Delete …”. */
const plain = (text: string) =>
  text
    .replaceAll(/[«“„]?\{\{\w+(?:,[^}]*)?\}\}[»”“]?/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
