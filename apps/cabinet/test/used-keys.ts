import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TASK_TYPES } from '@heliograph/contract';
import { parseAst } from 'vite';

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** A template literal with `*` for what is put in: `common:type.*`. Neighbours are one: `sendernames:rule.*`. */
function pattern({ quasis, expressions }: Node): string {
  const parts = (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return (expressions as Node[]).length ? parts.join('*').replace(/\*(\.\*)+/g, '*') : parts[0]!;
}

/** The texts that an argument may be; nothing for a variable, whose value has its namespace where it is written. */
function literalsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateLiteral') return [pattern(node)];
  if (node.type === 'ConditionalExpression')
    return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  if (node.type === 'ArrayExpression') return (node.elements as unknown[]).flatMap(literalsOf);
  return [];
}

/** The called name: `t` of `t('key')`, `i18n.t('key')` and `this.t('key')`. */
function calledName({ callee }: Node): unknown {
  const { name, property } = callee as Node;
  return name ?? (property as Node | undefined)?.name;
}

function visit(node: unknown, seen: (key: string, isArgument: boolean) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, seen);
  if (!isNode(node)) return;
  if (node.type === 'CallExpression' && calledName(node) === 't')
    for (const key of literalsOf((node.arguments as unknown[])[0])) seen(key, true);
  if (node.type === 'Literal' || node.type === 'TemplateLiteral')
    for (const key of literalsOf(node)) seen(key, false);
  for (const value of Object.values(node)) if (typeof value === 'object') visit(value, seen);
}

/**
 * The keys in the code: arguments of `t`, and all other texts that begin with a namespace. Those without one are of `common`.
 * What is put together has a `*`.
 */
export function usedKeys(folder: string, namespaces: ReadonlySet<string>): Set<string> {
  const keys = new Set<string>();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file),
  );
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (key, isArgument) => {
      const hasNamespace = /^[a-zA-Z]+:[\w.*]+$/.test(key) && namespaces.has(key.split(':')[0]!);
      if (hasNamespace) keys.add(key);
      else if (isArgument) keys.add(`common:${key}`);
    });
  }
  // Types of tasks are written like keys.
  for (const type of TASK_TYPES) keys.delete(type);
  return keys;
}
