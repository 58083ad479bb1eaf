import * as contracts from '@heliograph/contract';
import { contract, type Endpoint } from '@heliograph/contract';
import { NOUNS } from '@heliograph/contract/descriptions';
import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { Descriptions } from '../descriptions.ts';
import { payloadSchemas, splitByType } from './by-type.ts';
import { describeAll, type OpenApi } from './describe.ts';
import { operation } from './operation.ts';
import { webhookPaths } from './webhooks.ts';

export interface Installation {
  version: string;
  /** The public address, without a slash at the end. */
  site: string;
}

/** OpenAPI 3.1 of every endpoint, from the definitions that validate the calls. */
export function openapi(
  { version, site }: Installation,
  descriptions = new Descriptions(),
): OpenApi {
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
        contact: { url: site },
        description:
          'Send messages over many channels and track their delivery. Responses have the rate limits in `RateLimit-Policy` and ' +
          '`RateLimit`; requests beyond them get 429 with `Retry-After`. ' +
          'Socket events are described in `/api/asyncapi.json`.',
      },
      servers: [{ url: `${site}/api` }],
      security: [{ bearer: [] }, { token: [] }],
      tags: Object.keys(contract).map((noun) => ({ name: noun, description: NOUNS[noun]?.about })),
      paths: paths as ZodOpenApiPathsObject,
      webhooks: webhookPaths,
      components: {
        schemas: payloadSchemas,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API token or the token of a session.',
          },
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The same without `Bearer`, as older clients send it.',
          },
        },
      },
    },
    { reused: 'inline', override } as never,
  );
  // Shared objects are copied, since each occurrence gets its own description.
  const own = JSON.parse(JSON.stringify(document)) as OpenApi;
  for (const { parameters } of Object.values(own.paths).flatMap((item) => Object.values(item)))
    if (parameters) removeAliases(parameters);
  describeAll(own, descriptions);
  splitByType(own.components.schemas);
  return own;
}

/** Other spellings of a parameter are taken, but not documented: generators give both the same name. */
function removeAliases(parameters: { name: string }[]): void {
  const names = new Set(parameters.map(({ name }) => name));
  const kept = parameters.filter(({ name }) => !names.has(`$${name}`));
  parameters.splice(0, parameters.length, ...kept);
}

/**
 * An order is parsed to a list of pairs, but sent as one string. Patterns with Unicode properties are omitted, since few
 * regular expression engines support them.
 */
function override({ jsonSchema: schema }: { jsonSchema: Record<string, unknown> }): void {
  if (String(schema.pattern).includes('\\p{')) delete schema.pattern;
  // Says nothing, but generators of examples fill such a list up to its maximum.
  if (schema.minItems === 0) delete schema.minItems;
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
