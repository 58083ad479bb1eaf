import * as contracts from '@heliograph/contract';
import {
  CarrierBatch,
  contract,
  costOf,
  ErrorBody,
  ERRORS,
  RATES,
  type Endpoint,
} from '@heliograph/contract';
import { RESPONSES, EXAMPLES, NOUNS, type Examples } from '@heliograph/contract/descriptions';
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { Descriptions, exampleOf, type Schema } from './descriptions.ts';

/** OpenAPI 3.1 of every endpoint, from the definitions that validate the calls. */
export function openapi(version: string, descriptions = new Descriptions()): OpenApi {
  nameSchemas();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [verb, def] of Object.entries(endpoints) as [string, Endpoint][]) {
      const path = def.path.replace(/:(\w+)/g, '{$1}');
      const methods = def.alias ? [def.method, def.alias] : [def.method];
      for (const method of methods) {
        const operationId =
          method === def.method ? `${noun}.${verb}` : `${noun}.${verb}.${method.toLowerCase()}`;
        (paths[path] ??= {})[method.toLowerCase()] = operation(operationId, noun, verb, def);
      }
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Heliograph',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Send messages over many channels and track their delivery. Responses have the rate limits in `RateLimit-Policy` and ' +
          '`RateLimit`; requests beyond them get 429 with `Retry-After`. ' +
          'Socket events are described in `/api/asyncapi.json`.',
      },
      servers: [{ url: '/api' }],
      security: [{ token: [] }],
      tags: Object.keys(contract).map((noun) => ({ name: noun, description: NOUNS[noun]?.about })),
      paths: paths as ZodOpenApiPathsObject,
      webhooks: { 'channels.messages': { post: carrierBatch } },
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'An API token or the token of a session, raw or after `Bearer`.',
          },
        },
      },
    },
    { reused: 'inline', override } as never,
  );
  // Shared objects are copied, since each occurrence gets its own description.
  const own = JSON.parse(JSON.stringify(document)) as OpenApi;
  describeAll(own, descriptions);
  return own;
}

interface Content {
  [type: string]: { schema: Schema; example?: unknown; examples?: Examples };
}
interface Response {
  content?: Content;
  headers?: Record<string, Parameter>;
}
interface Parameter {
  name: string;
  schema: Schema;
  description?: string;
  example?: unknown;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}
/** The part of the document that gets descriptions. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** Adds descriptions and examples to all fields, parameters, headers and bodies. */
function describeAll({ paths, webhooks, components }: OpenApi, descriptions: Descriptions): void {
  const { schemas, responses: refusals } = components;
  for (const [name, schema] of Object.entries(schemas)) descriptions.named(schema, name);
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item),
  );
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    // `PUT` and `PATCH` are one operation of the contract.
    const path = operationId.split('.').slice(0, 2);
    for (const parameter of parameters) {
      describeParameter(parameter, [...path, `?${parameter.name}`], descriptions);
      parameter.example = exampleOf(parameter.schema, schemas);
    }
    for (const [status, { content }] of [
      ['body', requestBody ?? {}] as const,
      ...Object.entries(responses),
    ])
      for (const [type, media] of Object.entries(content ?? {})) {
        descriptions.schema(media.schema, path);
        const several = status === 'body' && EXAMPLES[path.join('.')];
        if (several) media.examples = several;
        else if (isText(type))
          media.example ??=
            descriptions.example([...path, status]) ?? exampleOf(media.schema, schemas);
      }
  }
  const answers = [
    ...Object.values(refusals),
    ...operations.flatMap((one) => Object.values(one.responses)),
  ];
  for (const header of answers.flatMap(({ headers = {} }) => Object.values(headers)))
    header.example = exampleOf(header.schema, schemas);
}

const isText = (type: string) => type === 'application/json' || type.endsWith('urlencoded');

function describeParameter(parameter: Parameter, path: string[], descriptions: Descriptions): void {
  const { schema } = parameter;
  schema.description ??= parameter.description;
  descriptions.field(schema, path);
  descriptions.schema(schema, path);
  parameter.description = schema.description;
}

/** The request that the driver `http` sends to a carrier. */
const carrierBatch = {
  operationId: 'channels.messages',
  tags: ['channels'],
  summary: 'Messages for a carrier',
  description:
    'Posted to the option `url` of a channel with the driver `http`, signed by its `secret` as Standard Webhooks ' +
    '(`webhook-id`, `webhook-timestamp`, `webhook-signature`). The carrier reports statuses with `channels.statuses`.',
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: CarrierBatch } } },
  responses: {
    '200': {
      description:
        '`{ results: [{ reference, result, ... }] }`: `accepted` with an `externalId`, if there is one, `rejected` with a `code` and a `text`, or ' +
        '`throttled` with `retryAfter` in milliseconds. The outcome of omitted messages is unknown.',
    },
    '429': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
    '503': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
  },
} satisfies ZodOpenApiOperationObject;

/**
 * An order is parsed to a list of pairs, but sent as one string. Patterns with Unicode properties are omitted, since few
 * regular expression engines support them.
 */
function override({ jsonSchema: schema }: { jsonSchema: Record<string, unknown> }): void {
  if (String(schema.pattern).includes('\\p{')) delete schema.pattern;
  const { prefixItems } = (schema.items ?? {}) as { prefixItems?: { enum?: string[] }[] };
  const [fields] = prefixItems ?? [];
  if (!fields?.enum) return;
  for (const key of Object.keys(schema)) delete schema[key];
  const name = `(${fields.enum.join('|')})(:(asc|desc))?`;
  Object.assign(schema, {
    type: 'string',
    pattern: `^${name}(,${name}){0,3}$`,
    examples: [`${fields.enum[0]}:desc`],
  });
}

/** Schemas have the names of the contract's exports. */
function nameSchemas(): void {
  for (const [name, value] of Object.entries(contracts)) {
    if (!(value instanceof z.ZodObject || value instanceof z.ZodEnum)) continue;
    const known = z.globalRegistry.get(value);
    if (!known?.id) z.globalRegistry.add(value, { ...known, id: name });
  }
}

/** Summary and response description of CRUD endpoints. */
const VERBS: Record<
  string,
  (noun: { one: string; many: string }) => [does: string, answers: string]
> = {
  find: ({ many }) => [`List ${many}`, `A page of ${many}.`],
  get: ({ one }) => [`Read ${withArticle(one)}`, `The ${one}.`],
  create: ({ one }) => [`Create ${withArticle(one)}`, `The new ${one}.`],
  update: ({ one }) => [`Change ${withArticle(one)}`, `The ${one} as it is now.`],
  remove: ({ one }) => [`Remove ${withArticle(one)}`, `The id of the removed ${one}.`],
};

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function operation(
  operationId: string,
  noun: string,
  verb: string,
  def: Endpoint,
): ZodOpenApiOperationObject {
  const [does, answers] = VERBS[verb]?.(NOUNS[noun]!) ?? [operationId, ''];
  const summary = def.summary ?? does;
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
          'Idempotency-Key': z.string().max(255).optional(),
        }),
      }),
    },
    ...requestBody(def),
    responses: responsesOf(
      def,
      (status) => RESPONSES[`${noun}.${verb}.${status}`] ?? RESPONSES[`${noun}.${verb}`] ?? answers,
    ),
  };
}

/** Required permission and rate limits. */
function describe(def: Endpoint): string {
  const access = {
    public: 'Requires no session.',
    session: def.sessionOnly ? 'Requires a session.' : 'Requires a session or an API token.',
    carrier: 'Signed with the secret of the channel as Standard Webhooks.',
  };
  const needs = access[def.can as keyof typeof access] ?? `Requires the permission \`${def.can}\`.`;
  const rate: contracts.Rate = RATES[costOf(def)];
  const per = (['account', 'session', 'network'] as const).flatMap((subject) =>
    rate[subject] ? [`${rate[subject]} per ${subject}`] : [],
  );
  const limits = per.length ? ` Requests per ${rate.seconds} s: ${per.join(', ')}.` : '';
  const only = def.sessionOnly ? ' API tokens are refused.' : '';
  return `${needs}${only}${limits}`;
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

function responsesOf(
  def: Endpoint,
  answerOf: (status: string) => string,
): ZodOpenApiResponsesObject {
  const answers = def.responses ?? { [def.status ?? 200]: def.response };
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
      description: Number(status) < 400 ? answerOf(status) : `Refused: ${codesOf(Number(status))}`,
      ...(def.idempotent && {
        headers: z.object({
          'Idempotency-Replay': z
            .enum(['true'])
            .optional()
            .describe('The response is that of the first request with this key.'),
        }),
      }),
      content: own,
    };
  }
  return responses as ZodOpenApiResponsesObject;
}

/** The error statuses that an endpoint may return. */
function statusesOf(def: Endpoint): number[] {
  const isSession = def.can !== 'public';
  const takes = Boolean(def.params ?? def.query ?? def.body ?? def.upload);
  const isCounted = costOf(def) !== 'free';
  return [
    ...(def.body || def.upload ? [400, 413, 415] : []),
    ...(isSession ? [401] : []),
    ...(isSession ? [403] : []),
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
/** The error response of a status, shared by all endpoints. */
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
        headers: z.object({
          'Retry-After': z
            .int()
            .optional()
            .meta({ description: 'Seconds to wait.', examples: [12] }),
        }),
      }),
      content: { 'application/json': { schema: ErrorBody, example } },
    };
    REFUSALS.set(status, response);
  }
  return response;
}

/** The wire form of a parsed query. Objects are written as `field[$gt]=`. */
function inputOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return inputOf(schema.in as z.ZodType);
  const { shape } = schema as z.ZodObject;
  for (const value of Object.values(shape)) {
    const isRange = value instanceof z.ZodOptional && value.unwrap() instanceof z.ZodObject;
    if (isRange)
      z.globalRegistry.add(value, {
        param: { style: 'deepObject', explode: true },
      });
  }
  return schema;
}
