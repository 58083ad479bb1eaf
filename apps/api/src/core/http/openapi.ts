import { contract, ErrorBody, ERRORS, type Endpoint } from '@heliograph/contract';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';

/** OpenAPI 3.1 of every endpoint, from the definitions that validate the calls. */
export function openapi(version: string): object {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [verb, def] of Object.entries(endpoints) as [string, Endpoint][]) {
      const path = def.path.replace(/:(\w+)/g, '{$1}');
      const methods = def.also ? [def.method, def.also] : [def.method];
      for (const method of methods) {
        const operationId =
          method === def.method ? `${noun}.${verb}` : `${noun}.${verb}.${method.toLowerCase()}`;
        (paths[path] ??= {})[method.toLowerCase()] = operation(operationId, noun, def);
      }
    }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Heliograph',
        version,
        description:
          'Send messages over many channels and watch them being delivered. Answers say in `RateLimit-Policy` and `RateLimit` ' +
          'how many calls of a kind there may be and how many are left; beyond them they are 429 with `Retry-After`.',
      },
      servers: [{ url: '/api' }],
      security: [{ token: [] }],
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
    { reused: 'inline' } as never,
  );
}

function operation(operationId: string, noun: string, def: Endpoint): ZodOpenApiOperationObject {
  const answer = def.download
    ? {
        'application/octet-stream': { schema: z.string() },
        'application/json': { schema: def.response },
      }
    : { 'application/json': { schema: def.response } };
  return {
    operationId,
    tags: [noun],
    ...(def.summary && { summary: def.summary }),
    ...(def.can === 'public' && { security: [] }),
    requestParams: {
      ...(def.params && { path: def.params as z.ZodObject }),
      ...(def.query && { query: inputOf(def.query) as z.ZodObject }),
      ...(def.idempotent && {
        header: z.object({ 'Idempotency-Key': z.string().max(255).optional() }),
      }),
    },
    ...(def.body && {
      requestBody: {
        content: {
          'application/json': { schema: def.body },
          ...(def.form && { 'application/x-www-form-urlencoded': { schema: def.body } }),
        },
      },
    }),
    ...(def.upload && {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: z.object({ file: z.string().meta({ format: 'binary' }) }),
          },
        },
      },
    }),
    responses: {
      [String(def.status ?? 200)]: { description: 'Done', content: answer },
      default: {
        description: `A refusal: ${Object.keys(ERRORS).join(', ')}`,
        content: { 'application/json': { schema: ErrorBody } },
      },
    },
  };
}

/** The wire form of a query that is parsed into another shape. */
function inputOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? inputOf(schema.in as z.ZodType) : schema;
}
