import type { Token } from 'markdown-it';
import { textOf, type MarkdownNode } from '../../ui/markdown-parser.ts';

export interface Parameter {
  name: string;
  type: string;
  meaning: string;
  isRequired: boolean;
}

/** A call of the reference, as its page describes it. */
export interface OfferedCall {
  /** The heading: `GET /contacts/{id}`. */
  title: string;
  /** The example as it is sent: `readHttpCall` reads it. */
  text: string;
  /** A test token may make it. */
  isForTests: boolean;
  /** Of the path, the query and the headers. */
  parameters: Parameter[];
}

/** The calls of a page by the fence with their example: it comes after the table of parameters, under the heading of the call. */
export function offeredCalls(nodes: MarkdownNode[]): Map<Token, OfferedCall> {
  const calls = new Map<Token, OfferedCall>();
  let title = '';
  let parameters: Parameter[] = [];
  for (const node of nodes) {
    const { type, info, content } = node.token;
    if (type === 'heading_open') [title, parameters] = [textOf(node), []];
    else if (type === 'table_open') parameters = parametersOf(node);
    else if (type === 'fence' && /^http\b/.test(info) && /^[A-Z]+ \/\S+$/.test(title))
      calls.set(node.token, {
        title,
        text: content,
        isForTests: /\btest\b/.test(info),
        parameters,
      });
  }
  return calls;
}

function parametersOf({ children }: MarkdownNode): Parameter[] {
  const body = children.find(({ token }) => token.type === 'tbody_open');
  return (body?.children ?? []).map((row) => {
    const [name = '', type = '', meaning = ''] = row.children.map(textOf);
    return { name, type, meaning, isRequired: isMarked(row.children[1]) };
  });
}

/** Whether something is bold: of the type of a parameter, that it is required. */
const isMarked = (node: MarkdownNode | undefined): boolean =>
  !!node && (node.token.type === 'strong_open' || node.children.some(isMarked));
