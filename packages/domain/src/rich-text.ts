/**
 * Formatted text of people, such as a system message: a small subset of HTML. It is parsed into nodes, and only nodes are rendered, so
 * that nothing of the source reaches a page, an e-mail or a chat as markup.
 */
export type RichTag = 'b' | 'i' | 'u' | 's' | 'code' | 'pre' | 'a' | 'p' | 'li';
export interface RichElement {
  tag: RichTag;
  /** Of `a`. */
  href?: string;
  children: RichNode[];
}
/** A text, a line break or an element. */
export type RichNode = string | '\n' | RichElement;

/** Characters of the source that are read. */
export const MAX_RICH_TEXT = 4000;
const MAX_DEPTH = 8;
const MAX_URL = 2000;

const TAGS: Record<string, RichTag> = {
  b: 'b',
  strong: 'b',
  i: 'i',
  em: 'i',
  u: 'u',
  ins: 'u',
  s: 's',
  del: 's',
  strike: 's',
  code: 'code',
  pre: 'pre',
  a: 'a',
  p: 'p',
  div: 'p',
  li: 'li',
};
/** Their contents are not text for a reader. */
const DROPPED = new Set([
  'script',
  'style',
  'template',
  'iframe',
  'object',
  'svg',
  'math',
  'noscript',
  'textarea',
  'title',
]);
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

interface Tag {
  name: string;
  isEnd: boolean;
  href: string | undefined;
}

/**
 * Parses the subset. Unknown tags are left out and their contents stay, except those of scripts and styles. Links are http, https and
 * mailto. Takes linear time.
 * `parseRichText('<b onclick="x()">Sale</b>')` is [{ tag: 'b', children: ['Sale'] }].
 */
export function parseRichText(source: string): RichNode[] {
  const html = source.slice(0, MAX_RICH_TEXT);
  const root: RichNode[] = [];
  const open: { tag: RichTag; children: RichNode[] }[] = [];
  const here = () => open.at(-1)?.children ?? root;
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    addText(here(), html.slice(at, start < 0 ? undefined : start));
    if (start < 0) break;
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const end = tagEnd(html, start);
    const tag = end === null ? null : readTag(html.slice(start + 1, end));
    if (end === null || !tag) {
      addText(here(), '<');
      at = start + 1;
      continue;
    }
    at = end + 1;
    if (DROPPED.has(tag.name)) {
      if (!tag.isEnd) at = afterDropped(html, at, tag.name);
    } else if (tag.name === 'br') {
      here().push('\n');
    } else applyTag(tag, open, root);
  }
  return root;
}

function applyTag(
  { name, isEnd, href }: Tag,
  open: { tag: RichTag; children: RichNode[] }[],
  root: RichNode[],
): void {
  const kind = Object.hasOwn(TAGS, name) ? TAGS[name] : undefined;
  if (!kind) return;
  if (isEnd) {
    const index = open.findLastIndex(({ tag }) => tag === kind);
    if (index >= 0) open.length = index;
    return;
  }
  if (open.length >= MAX_DEPTH) return;
  // A link without an address that may be opened is only its text.
  const address = kind === 'a' ? safeUrl(href) : undefined;
  if (kind === 'a' && (!address || open.some(({ tag }) => tag === 'a'))) return;
  const element: RichElement = { tag: kind, ...(address && { href: address }), children: [] };
  (open.at(-1)?.children ?? root).push(element);
  open.push(element);
}

/** The index of the `>` that ends the tag, outside of quotes; null if there is none. */
function tagEnd(html: string, start: number): number | null {
  if (!/[a-z/!?]/i.test(html[start + 1] ?? '')) return null;
  let quote = '';
  for (let i = start + 1; i < html.length; i++) {
    const char = html[i]!;
    if (quote) {
      if (char === quote) quote = '';
    } else if ((char === '"' || char === "'") && html[i - 1] === '=') quote = char;
    else if (char === '>') return i;
  }
  // An unfinished tag or quote: up to the next bracket, as text would be read.
  const end = html.indexOf('>', start);
  return end < 0 ? null : end;
}

function readTag(inside: string): Tag | null {
  const name = /^\/?([a-z][a-z0-9]{0,20})(?=[\s/>]|$)/i.exec(inside)?.[1]?.toLowerCase();
  if (!name) return /^[/!?a-z]/i.test(inside) ? { name: '', isEnd: false, href: undefined } : null;
  const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(inside);
  return { name, isEnd: inside[0] === '/', href: href?.[1] ?? href?.[2] ?? href?.[3] };
}

function afterDropped(html: string, at: number, name: string): number {
  const end = html.toLowerCase().indexOf(`</${name}`, at);
  if (end < 0) return html.length;
  const close = html.indexOf('>', end);
  return close < 0 ? html.length : close + 1;
}

function safeUrl(href: string | undefined): string | undefined {
  const url = decode(href ?? '').trim();
  if (!url || url.length > MAX_URL) return undefined;
  // No invisible characters, quotes or brackets: the address is the same in every place where it is written.
  return /^(?:https?:\/\/|mailto:)[^\s\p{C}"'<>`\\]+$/iu.test(url) ? url : undefined;
}

function addText(nodes: RichNode[], raw: string): void {
  const lines = clean(decode(raw)).split(/\r\n|\r|\n/);
  lines.forEach((line, i) => {
    if (i > 0) nodes.push('\n');
    if (!line) return;
    const last = nodes.at(-1);
    if (typeof last === 'string' && last !== '\n') nodes[nodes.length - 1] = last + line;
    else nodes.push(line);
  });
}

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi,
    (all: string, decimal?: string, hex?: string, name?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? all;
      const code = decimal ? Number(decimal) : parseInt(hex!, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** Without control characters and those that turn the direction of the text around them. */
const clean = (text: string): string =>
  text.toWellFormed().replace(/[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu, '');

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const isBlock = (node: RichNode | undefined): boolean =>
  typeof node === 'object' && ['p', 'li', 'pre'].includes(node.tag);

/** The source that parses to these nodes; `renderRichText(parseRichText(html))` is what is stored. */
export function renderRichText(nodes: RichNode[]): string {
  return nodes
    .map((node) => {
      if (node === '\n') return '<br>';
      if (typeof node === 'string') return escapeHtml(node);
      const attributes =
        node.tag === 'a'
          ? ` href="${escapeHtml(node.href!)}" rel="noopener noreferrer nofollow"`
          : '';
      return `<${node.tag}${attributes}>${renderRichText(node.children)}</${node.tag}>`;
    })
    .join('');
}

/** As plain text with line breaks; addresses of links follow their text. */
export function plainRichText(nodes: RichNode[]): string {
  return joinBlocks(nodes, (node) => {
    const text = joinedPlain(node.children);
    if (node.tag === 'li') return `• ${text}`;
    return node.tag === 'a' && text !== node.href ? `${text} (${node.href})` : text;
  });
}
const joinedPlain = (nodes: RichNode[]): string => plainRichText(nodes);

/** In the subset of HTML that the Bot API of Telegram takes: b, i, u, s, code, pre and a. */
export function telegramRichText(nodes: RichNode[]): string {
  return joinBlocks(
    nodes,
    ({ tag, href, children }) => {
      const text = telegramRichText(children);
      if (tag === 'p') return text;
      if (tag === 'li') return `• ${text}`;
      return tag === 'a'
        ? `<a href="${telegramText(href!)}">${text}</a>`
        : `<${tag}>${text}</${tag}>`;
    },
    telegramText,
  );
}

/** A plain text in a message with `parse_mode` HTML. */
export const telegramText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

function joinBlocks(
  nodes: RichNode[],
  element: (node: RichElement) => string,
  text: (value: string) => string = (value) => value,
): string {
  let joined = '';
  nodes.forEach((node, i) => {
    const needsBreak = isBlock(node) || isBlock(nodes[i - 1]);
    if (needsBreak && joined && !joined.endsWith('\n')) joined += '\n';
    joined += node === '\n' ? '\n' : typeof node === 'string' ? text(node) : element(node);
  });
  return joined.replace(/\n{3,}/g, '\n\n').trim();
}
