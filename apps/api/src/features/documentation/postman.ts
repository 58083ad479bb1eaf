import type { Endpoint } from '@heliograph/contract';
import type { OpenApi } from '../../core/http/openapi/describe.ts';
import type { Installation } from '../../core/http/openapi/openapi.ts';
import {
  exampleBody,
  isSent,
  referenceEndpoints,
  type Document,
  type Operation,
  type Parameter,
} from './reference.ts';

/** The token that a request sends unless it has `noauth`. */
const AUTH = {
  type: 'bearer',
  bearer: [{ key: 'token', value: '{{token}}', type: 'string' }],
};

/**
 * A collection of the requests of the reference, in the format 2.1.0 of Postman, with the documented values: `baseUrl` and `token` are its
 * variables. Optional parameters are there, but switched off.
 */
export function postmanCollection(
  { site, version }: Installation,
  openapi: OpenApi,
): Record<string, unknown> {
  const document = openapi as unknown as Document;
  const about = new Map(document.tags.map(({ name, description }) => [name, description]));
  return {
    info: {
      name: 'Heliograph',
      description: `Enter an API token as the variable \`token\`; one of tests sends to nobody and costs nothing. The guide is ${site}/documentation.`,
      version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: AUTH,
    variable: [
      { key: 'baseUrl', value: `${site}/api`, type: 'string' },
      { key: 'token', value: '', type: 'string' },
    ],
    item: referenceEndpoints().map(([noun, defs]) => ({
      name: noun,
      description: about.get(noun),
      item: defs.map((def) => requestOf(def, document)),
    })),
  };
}

function requestOf(def: Endpoint, { paths, components }: Document): object {
  const path = def.path.replace(/:(\w+)/g, '{$1}');
  const operation = paths[path]![def.method.toLowerCase()]!;
  const { headers, body } = exampleBody(def, operation.requestBody, components.schemas);
  const isJson = headers['Content-Type'] === 'application/json';
  return {
    name: operation.summary,
    request: {
      method: def.method,
      ...(def.can === 'public' && { auth: { type: 'noauth' } }),
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: urlOf(def, operation),
      ...(body && {
        body: {
          mode: 'raw',
          raw: body,
          options: { raw: { language: isJson ? 'json' : 'text' } },
        },
      }),
    },
    response: [],
  };
}

function urlOf(def: Endpoint, { parameters = [] }: Operation): object {
  const { path } = def;
  const of = (place: string) => parameters.filter((one) => one.in === place);
  // `token` is for links that browsers open.
  const query = of('query')
    .filter(({ name }) => name !== 'token')
    .flatMap((one) => queryOf(one, isSent(def, one)));
  return {
    raw: `{{baseUrl}}${path}`,
    host: ['{{baseUrl}}'],
    path: path.slice(1).split('/'),
    query,
    variable: of('path').map(({ name, example, schema }) => ({
      key: name,
      value: String(example),
      description: schema.description,
    })),
  };
}

/** A list is repeated, a range has a parameter for each of its ends. */
function queryOf({ name, schema, example }: Parameter, isOn: boolean): object[] {
  const values: [key: string, value: unknown][] =
    example !== null && typeof example === 'object' && !Array.isArray(example)
      ? Object.entries(example).map(([end, value]) => [`${name}[${end}]`, value])
      : [example].flat().map((value) => [name, value]);
  return values.map(([key, value]) => ({
    key,
    value: String(value ?? ''),
    disabled: !isOn,
    description: schema.description,
  }));
}
