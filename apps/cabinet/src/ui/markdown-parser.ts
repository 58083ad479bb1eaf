import MarkdownIt, { type Token } from 'markdown-it';
import container from 'markdown-it-container';

export interface Heading {
  id: string;
  level: number;
  text: string;
}

/** A token with what is between it and its closing token. */
export interface MarkdownNode {
  token: Token;
  children: MarkdownNode[];
}

export interface MarkdownDocument {
  /** The first heading of level 1, which the page shows itself. */
  title: string;
  nodes: MarkdownNode[];
  headings: Heading[];
}

export const CONTAINERS = ['tip', 'warning', 'danger'] as const;

/** HTML in a file is text. */
const parser = new MarkdownIt({ html: false });
for (const name of CONTAINERS) parser.use(container, name);

/** Letters and digits of any script, joined by hyphens: `Ограничения скорости` is `ограничения-скорости`. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('-') ?? '';

export function parseMarkdown(text: string): MarkdownDocument {
  const nodes = nest(parser.parse(text, {}));
  const first = nodes.findIndex(({ token }) => token.type === 'heading_open');
  const title = nodes[first]?.token.tag === 'h1' ? textOf(nodes.splice(first, 1)[0]!) : '';
  const seen = new Map<string, number>();
  const headings = nodes
    .filter(({ token }) => token.type === 'heading_open')
    .map((node) => {
      const slug = slugOf(textOf(node)) || 'section';
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      const id = count ? `${slug}-${count}` : slug;
      node.token.attrSet('id', id);
      return { id, level: Number(node.token.tag.slice(1)), text: textOf(node) };
    });
  return { title, nodes, headings };
}

/** The words of a node. */
export const textOf = ({ token, children }: MarkdownNode): string =>
  children.length
    ? children.map(textOf).join(token.block && token.type !== 'inline' ? ' ' : '')
    : token.type === 'softbreak' || token.type === 'hardbreak'
      ? ' '
      : token.content;

function nest(tokens: Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    // An image's children are the words of its alternative text.
    const inner = token.type === 'inline' ? nest(token.children ?? []) : [];
    const node = { token, children: inner };
    open.at(-1)!.push(node);
    if (token.nesting > 0) open.push(node.children);
  }
  return root;
}
