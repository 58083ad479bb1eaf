import { parseAst, type Plugin } from 'vite';

/** What calls of these functions say for the server alone, by the position of their options. */
const SERVER_OPTIONS: Record<string, { position: number; names: string[] }> = {
  endpoint: {
    position: 2,
    names: [
      'params',
      'query',
      'response',
      'summary',
      'cost',
      'audit',
      'owner',
      'accept',
      'quota',
      'bound',
      'lasting',
    ],
  },
  crud: { position: 1, names: ['item', 'row', 'query', 'audit', 'owner', 'quota', 'lasting'] },
};

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function visit(node: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, seen);
  if (!isNode(node)) return;
  seen(node);
  for (const value of Object.values(node)) if (typeof value === 'object') visit(value, seen);
}

function removeServerOptions(call: Node, code: string): Edit[] {
  const { position, names } = SERVER_OPTIONS[(call.callee as Node).name as string] ?? {};
  const options = position === undefined ? undefined : (call.arguments as Node[])[position];
  if (options?.type !== 'ObjectExpression') return [];
  return (options.properties as Node[])
    .filter(({ key }) => names!.includes((key as Node | undefined)?.name as string))
    .map(({ start, end }) => ({ start, end: code[end] === ',' ? end + 1 : end, text: '' }));
}

/** Marks the value of a constant as pure. An annotation of the call itself would not include the calls among its arguments. */
function markPure({ start, end }: Node): Edit[] {
  return [
    { start, end: start, text: '/* @__PURE__ */ (() => (' },
    { start: end, end, text: '))()' },
  ];
}

function hasCall(node: Node): boolean {
  if (/Function/.test(node.type)) return false;
  let found = false;
  visit(node, ({ type }) => (found ||= type === 'CallExpression' || type === 'NewExpression'));
  return found;
}

/** The initial values of the constants of a module. */
function constantsOf(body: Node[]): Node[] {
  const statements = body.map((statement) => (statement.declaration as Node | null) ?? statement);
  const declarations = statements.flatMap((statement) =>
    statement.type === 'VariableDeclaration' ? (statement.declarations as Node[]) : [],
  );
  return declarations.flatMap(({ init }) => (isNode(init) ? [init] : []));
}

/**
 * The contract as the client uses it: method, path and body of an endpoint. Schemas of responses, queries and parameters refer to each
 * other across all areas, so without this every page would load every area. Constants are marked as pure, so that the bundler drops
 * what nothing refers to any more.
 */
export const clientContract: Plugin = {
  name: 'client-contract',
  transform(source, id) {
    if (!/[\\/]packages[\\/]contract[\\/]src[\\/]/.test(id)) return;
    const code = source
      .replaceAll(/\.describe\((['"])(?:(?!\1).)*\1\)/g, '')
      // The cabinet changes webhooks and notifications by their own calls.
      .replaceAll(/,\s*WebhookSettingInput,\s*NotificationSettingInput,?\s*\]/g, ']')
      .replaceAll('.overwrite(anyDay)', '')
      .replaceAll('.overwrite(anyPhone).refine(isPhone, invalidPhone)', '');
    const body = parseAst(code, { lang: 'ts' }).body as unknown as Node[];
    const edits = constantsOf(body).filter(hasCall).flatMap(markPure);
    visit(body, (node) => {
      if (node.type === 'CallExpression') edits.push(...removeServerOptions(node, code));
    });
    return edits
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
        code,
      );
  },
};
