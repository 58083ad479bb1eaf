import { contract, isForTests, type Endpoint } from '@heliograph/contract';
import { writeHttpCall, type HttpCall } from '@heliograph/domain';
import type { OpenApi } from '../../core/http/openapi/describe.ts';
import { statusesOf } from '../../core/http/openapi/responses.ts';
import { REFERENCE_TEXTS, type ReferenceTexts } from './reference-texts.ts';
import { resolve, rowsOf, typeOf, type Named, type Row, type Schema } from './schema-words.ts';

/** The file of the generated page in the category `api`. */
export const REFERENCE = 'reference';

/** Resources that only the cabinet, administrators and carriers use. All others are in the reference. */
const INTERNAL: readonly string[] = [
  'audit',
  'captcha',
  'channels',
  'emails',
  'geocode',
  'health',
  'messageRuleGroups',
  'patterns',
  'phones',
  'recovery',
  'registration',
  'routes',
  'routingGroups',
  'settings',
  'setup',
  'summary',
  'telemetry',
];
/** The resources that most integrations need come first. */
const FIRST: readonly string[] = ['auth', 'sendings', 'tasks', 'contactLists', 'contacts'];

const rankOf = (noun: string) => (FIRST.includes(noun) ? FIRST.indexOf(noun) : FIRST.length);
const isOffered = (def: Endpoint) =>
  !def.mutates &&
  def.can !== 'carrier' &&
  def.can !== 'secret.loginAs' &&
  def.accept !== 'managerUp';

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}
export interface Operation {
  summary: string;
  parameters?: Parameter[];
  requestBody?: {
    content: Record<string, { schema: Schema; example?: unknown; examples?: object }>;
  };
  responses: Record<
    string,
    { description?: string; content?: Record<string, { example?: unknown }> }
  >;
}
export interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Named };
}

/** The operations with which integrations work, in order: by resource, then as the contract has them. */
export function referenceEndpoints(): [noun: string, defs: Endpoint[]][] {
  return Object.entries(contract)
    .filter(([noun]) => !INTERNAL.includes(noun))
    .map(([noun, all]): [string, Endpoint[]] => [
      noun,
      (Object.values(all) as Endpoint[]).filter(isOffered),
    ])
    .filter(([, defs]) => defs.length > 0)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b));
}

/** The page, from the document that also describes the API to programs. */
export function createReference(locale: string, openapi: OpenApi): string {
  const texts = REFERENCE_TEXTS[locale]!;
  const document = openapi as unknown as Document;
  const about = new Map(document.tags.map(({ name, description }) => [name, description]));
  const groups = referenceEndpoints().map(([noun, defs]) =>
    [
      `## ${noun}`,
      about.get(noun),
      ...defs.map((def) => describeOperation(def, document, texts)),
    ].join('\n\n'),
  );
  return `# ${texts.title}\n\n${texts.intro}\n\n${groups.join('\n\n')}\n`;
}

function describeOperation(def: Endpoint, document: Document, texts: ReferenceTexts): string {
  const path = def.path.replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]![def.method.toLowerCase()]!;
  const named = document.components.schemas;
  return [
    `### ${def.method} ${path}`,
    `${operation.summary}.${def.alias ? ` ${texts.alias} \`${def.alias}\`.` : ''}`,
    `${texts.permission}: ${accessOf(def, texts)}.${def.idempotent ? ` ${texts.idempotent}` : ''}`,
    ...table(texts.parameters, parametersOf(operation, named), texts),
    exampleCall(def, operation, named),
    ...bodyOf(def, operation, named, texts),
    ...answersOf(operation, texts),
    errorsOf(def, texts),
  ].join('\n\n');
}

function accessOf(def: Endpoint, texts: ReferenceTexts): string {
  if (def.can === 'public') return texts.noPermission;
  return def.can === 'session' ? texts.anySession : `\`${def.can}\``;
}

/** `token` is for links that browsers open. */
const parametersOf = ({ parameters = [] }: Operation, named: Named): Row[] =>
  parameters
    .filter(({ name }) => name !== 'token')
    .flatMap(({ name, required, schema }) => {
      const { properties } = resolve(schema, named);
      const meaning = schema.description ?? '';
      if (!properties)
        return [{ name, type: typeOf(schema, named), isRequired: required ?? false, meaning }];
      // A range is written as a parameter for each of its ends.
      return Object.entries(properties).map(([end, of]) => ({
        name: `${name}[${end}]`,
        type: typeOf(of, named),
        isRequired: false,
        meaning: of.description ?? meaning,
      }));
    });

function bodyOf(
  def: Endpoint,
  { requestBody }: Operation,
  named: Named,
  texts: ReferenceTexts,
): string[] {
  if (def.upload) return [`**${texts.body}**`, texts.file];
  const json = requestBody?.content['application/json'];
  return json ? table(texts.body, rowsOf(json.schema, named), texts) : [];
}

/** What stands for a file that is uploaded. */
const FILE = {
  headers: { 'Content-Type': 'text/csv', 'X-Filename': 'contacts.csv' },
  body: 'phone,firstName\n+79990000001,Anna',
};

/** A call that needs one of several parameters, with the one that its example has. */
const ONE_OF = new Map([['/operators', 'mcc']]);

/** Whether the example has the parameter. */
export const isSent = ({ path }: Endpoint, { name, required }: Parameter): boolean =>
  required === true || ONE_OF.get(path) === name;

/** What is sent, with its type: the documented values for the caller's own account, or a file. */
export function exampleBody(
  { upload }: Endpoint,
  requestBody: Operation['requestBody'],
  named: Named,
): Pick<HttpCall, 'headers' | 'body'> {
  if (upload) return FILE;
  const json = requestBody?.content['application/json'];
  if (!json) return { headers: {}, body: '' };
  const first = json.examples && (Object.values(json.examples)[0] as { value: unknown }).value;
  const { OwnerId, ...own } = (json.example ?? first) as Record<string, unknown>;
  const isOwned = resolve(json.schema, named).required?.includes('OwnerId');
  return {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...(isOwned && { OwnerId }), ...own }, null, 2),
  };
}

/** The call with the documented values, in a fence: `http test` if a test token may make it. */
function exampleCall(
  def: Endpoint,
  { parameters = [], requestBody }: Operation,
  named: Named,
): string {
  const path = def.path.replace(/:(\w+)/g, (_, name: string) => {
    const given = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(given?.example));
  });
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && isSent(def, one))
      .flatMap(({ name, example }) => [example].flat().map((value) => [name, String(value)])),
  );
  const { headers, body } = exampleBody(def, requestBody, named);
  const token: Record<string, string> =
    def.can === 'public' ? {} : { Authorization: 'Bearer hg_…' };
  const call = writeHttpCall({
    method: def.method,
    path: `/api${path}${query.size ? `?${query}` : ''}`,
    headers: { ...token, ...headers },
    body,
  });
  const isTried = isForTests(def) && !def.sessionOnly && def.can !== 'public';
  return `\`\`\`http${isTried ? ' test' : ''}\n${call}\n\`\`\``;
}

function answersOf({ responses }: Operation, texts: ReferenceTexts): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { description = '', content = {} }]) => [
      `**${texts.answer} ${status}** — ${description}`,
      ...('application/octet-stream' in content
        ? []
        : [fence(content['application/json']?.example)]),
    ]);
}

/** The guide says what each code means and what to do. */
const errorsOf = (def: Endpoint, texts: ReferenceTexts) =>
  `**${texts.errors}:** ${statusesOf(def).join(', ')}. ${texts.seeErrors}`;

function table(title: string, rows: Row[], texts: ReferenceTexts): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ name, type, isRequired, meaning }) =>
      `| \`${name}\` | ${cell(type)}${isRequired ? `, **${texts.required}**` : ''} | ${cell(meaning)} |`,
  );
  const head = `| ${texts.name} | ${texts.type} | ${texts.meaning} |\n| --- | --- | --- |`;
  return [`**${title}**`, `${head}\n${lines.join('\n')}`];
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const fence = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
