import * as contracts from '@heliograph/contract';
import { contract, costOf, ErrorBody, ERRORS, RATES, type Endpoint } from '@heliograph/contract';
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';

/** OpenAPI 3.1 of every endpoint, from the definitions that validate the calls. */
export function openapi(version: string): object {
  nameSchemas();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [verb, def] of Object.entries(endpoints) as [string, Endpoint][]) {
      const path = def.path.replace(/:(\w+)/g, '{$1}');
      const methods = def.also ? [def.method, def.also] : [def.method];
      for (const method of methods) {
        const operationId =
          method === def.method ? `${noun}.${verb}` : `${noun}.${verb}.${method.toLowerCase()}`;
        (paths[path] ??= {})[method.toLowerCase()] = operation(operationId, noun, verb, def);
      }
    }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Heliograph',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Send messages over many channels and watch them being delivered. Answers say in `RateLimit-Policy` and `RateLimit` ' +
          'how many calls of a kind there may be and how many are left; beyond them they are 429 with `Retry-After`.',
      },
      servers: [{ url: '/api' }],
      security: [{ token: [] }],
      tags: Object.keys(contract).map((noun) => ({ name: noun, description: inWords(noun) })),
      paths: paths as ZodOpenApiPathsObject,
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The token, raw or after `Bearer`',
          },
        },
      },
    },
    { reused: 'inline', override } as never,
  );
}

/** An order is a list of pairs; clients write it as one text. */
function override({ jsonSchema: schema }: { jsonSchema: Record<string, unknown> }): void {
  const { prefixItems } = (schema.items ?? {}) as { prefixItems?: { enum?: string[] }[] };
  const [fields] = prefixItems ?? [];
  if (!fields?.enum) return;
  for (const key of Object.keys(schema)) delete schema[key];
  const name = `(${fields.enum.join('|')})(:(asc|desc))?`;
  Object.assign(schema, {
    type: 'string',
    description: 'Fields to order by, each with its direction.',
    pattern: `^${name}(,${name}){0,3}$`,
    examples: [`${fields.enum[0]}:desc`],
  });
}

/** What the contract exports under a name has that name in the document as well. */
function nameSchemas(): void {
  for (const [name, value] of Object.entries(contracts)) {
    if (!(value instanceof z.ZodObject || value instanceof z.ZodEnum)) continue;
    const known = z.globalRegistry.get(value);
    if (!known?.id) z.globalRegistry.add(value, { ...known, id: name });
  }
}

const VERBS: Record<string, (noun: string) => string> = {
  find: (noun) => `List ${noun}`,
  get: (noun) => `Read one of the ${noun}`,
  create: (noun) => `Create one of the ${noun}`,
  update: (noun) => `Change one of the ${noun}`,
  remove: (noun) => `Remove one of the ${noun}`,
};

/** `contactLists` is "contact lists". */
const inWords = (noun: string) => noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function operation(
  operationId: string,
  noun: string,
  verb: string,
  def: Endpoint,
): ZodOpenApiOperationObject {
  const summary = def.summary ?? VERBS[verb]?.(inWords(noun)) ?? operationId;
  return {
    operationId,
    tags: [noun],
    summary,
    description: describe(def),
    ...(def.can === 'public' && { security: [] }),
    requestParams: {
      ...(def.params && { path: def.params as z.ZodObject }),
      ...(def.query && { query: inputOf(def.query) as z.ZodObject }),
      ...(def.idempotent && {
        header: z.object({
          'Idempotency-Key': z
            .string()
            .max(255)
            .optional()
            .describe('Of calls with the same key and body only the first has an effect.'),
        }),
      }),
    },
    ...requestBody(def),
    responses: responsesOf(def),
  };
}

/** Who may call, and how often. */
function describe(def: Endpoint): string {
  const access = {
    public: 'Needs no session.',
    session: 'Needs a session.',
    carrier: 'Signed by the secret of the channel as Standard Webhooks.',
  };
  const needs = access[def.can as keyof typeof access] ?? `Needs the permission \`${def.can}\`.`;
  const rate: contracts.Rate = RATES[costOf(def)];
  const per = (['account', 'session', 'network'] as const).flatMap((who) =>
    rate[who] ? [`${rate[who]} for ${who === 'account' ? 'an' : 'a'} ${who}`] : [],
  );
  const limits = per.length ? ` Calls in ${rate.seconds} s: ${per.join(', ')}.` : '';
  return `${needs}${limits}`;
}

function requestBody(def: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const bytes = z.string().meta({ override: { type: 'string', format: 'binary' } });
  if (def.upload) {
    const content = {
      'multipart/form-data': { schema: z.object({ file: bytes }) },
      'application/octet-stream': { schema: bytes },
    };
    const description = 'A form with the file, or its bytes with `Content-Type` and `X-Filename`.';
    return { requestBody: { required: true, description, content } };
  }
  if (!def.body) return {};
  const content = {
    'application/json': { schema: def.body },
    ...(def.form && { 'application/x-www-form-urlencoded': { schema: def.body } }),
  };
  return { requestBody: { required: !def.body.safeParse(undefined).success, content } };
}

function responsesOf(def: Endpoint): ZodOpenApiResponsesObject {
  const answers = def.answers ?? { [def.status ?? 200]: def.response };
  const bytes = z.string().meta({ override: { type: 'string', format: 'binary' } });
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const status of statusesOf(def)) responses[status] = refusal(status);
  for (const [status, schema] of Object.entries(answers)) {
    const own = {
      ...(def.download && { 'application/octet-stream': { schema: bytes } }),
      'application/json': {
        schema: Number(status) < 400 ? schema : z.union([schema, ErrorBody]),
      },
    };
    responses[status] = {
      description: Number(status) < 400 ? 'Done' : `Refused: ${codesOf(Number(status))}`,
      ...(def.idempotent && {
        headers: z.object({
          'Idempotency-Replay': z
            .enum(['true'])
            .optional()
            .describe('The answer of the first call with this key.'),
        }),
      }),
      content: own,
    };
  }
  return responses as ZodOpenApiResponsesObject;
}

/** The refusals that an endpoint of this shape may answer. */
function statusesOf(def: Endpoint): number[] {
  const isSession = def.can !== 'public';
  const takes = Boolean(def.params ?? def.query ?? def.body ?? def.upload);
  const isCounted = costOf(def) !== 'free';
  return [
    ...(def.body || def.upload ? [400, 413, 415] : []),
    ...(isSession ? [401] : []),
    ...(def.can !== 'public' && def.can !== 'session' ? [403] : []),
    ...(def.params || def.body ? [404] : []),
    ...(def.method === 'GET' ? [] : [409]),
    ...(def.idempotent ? [402] : []),
    ...(takes ? [422] : []),
    ...(isCounted ? [429] : []),
    500,
    503,
  ];
}

const codesOf = (status: number) =>
  Object.entries(ERRORS)
    .flatMap(([code, of]) => (of === status ? [`\`${code}\``] : []))
    .join(', ');

const REFUSALS = new Map<number, ZodOpenApiResponseObject>();
/** The refusal of a status, once for all endpoints. */
function refusal(status: number): ZodOpenApiResponseObject {
  let response = REFUSALS.get(status);
  if (!response) {
    const isLater = status === 429 || status === 503;
    const code = Object.entries(ERRORS).find(([, of]) => of === status)![0];
    const name = STATUS_CODES[status]!;
    const example = { error: status, code, name, message: name, requestId: 'a-request-of-yours' };
    response = {
      id: name.replaceAll(/[^A-Za-z]/g, ''),
      description: `Refused: ${codesOf(status)}`,
      ...(isLater && {
        headers: z.object({ 'Retry-After': z.int().optional().describe('Seconds to wait.') }),
      }),
      content: { 'application/json': { schema: ErrorBody, example } },
    };
    REFUSALS.set(status, response);
  }
  return response;
}

/** The wire form of a query that is parsed into another shape. Its objects are written `field[$gt]=`. */
function inputOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return inputOf(schema.in as z.ZodType);
  const { shape } = schema as z.ZodObject;
  for (const value of Object.values(shape)) {
    const isRange = value instanceof z.ZodOptional && value.unwrap() instanceof z.ZodObject;
    if (isRange)
      z.globalRegistry.add(value, {
        description: 'After and before these times: `field[$gt]`, `field[$lt]`.',
        param: { style: 'deepObject', explode: true },
      });
  }
  return schema;
}
