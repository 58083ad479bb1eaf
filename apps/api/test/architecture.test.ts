import {
  contract,
  PERMISSIONS,
  PRESETS,
  TOKEN_PERMISSIONS,
  type Endpoint,
  type Permission,
} from '@heliograph/contract';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINT } from '../src/core/http/endpoint.ts';
import { World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Every endpoint of the contract by its name, e.g. `users.find`. */
const ENDPOINTS = Object.entries(contract).flatMap(([noun, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(
    ([verb, def]) => [`${noun}.${verb}`, def] as const,
  ),
);
const routesOf = (def: Endpoint) =>
  (def.alias ? [def.method, def.alias] : [def.method]).map((method) => `${method} ${def.path}`);

/** The handlers of each route, and of definitions that the contract does not have. */
function handlers(): Map<string, string[]> {
  const discovery = world.api.get(DiscoveryService, { strict: false });
  const scanner = new MetadataScanner();
  const found = new Map<string, string[]>();
  for (const { instance } of discovery.getControllers()) {
    const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const def = Reflect.getMetadata(ENDPOINT, prototype[name]!) as Endpoint | undefined;
      const method = Reflect.getMetadata(METHOD_METADATA, prototype[name]!) as number | undefined;
      if (!def && method === undefined) continue;
      const known = ENDPOINTS.some(([, other]) => other === def);
      const route = known ? `${RequestMethod[method!]} ${def!.path}` : 'a route without a contract';
      found.set(route, [...(found.get(route) ?? []), `${instance.constructor.name}.${name}`]);
    }
  }
  return found;
}

test('every endpoint of the contract has one handler, and nothing else is served', () => {
  const found = handlers();
  const expected = ENDPOINTS.flatMap(([, def]) => routesOf(def));
  expect([...found.keys()].sort()).toEqual([...expected].sort());
  expect([...found].filter(([, names]) => names.length > 1)).toEqual([]);
});

test('every endpoint requires an existing permission or declares that it requires none', () => {
  const known = ['public', 'session', 'carrier', ...Object.keys(PERMISSIONS)];
  const wrong = ENDPOINTS.filter(
    ([, def]) => !known.includes(def.can) || (def.accept && !(def.accept in PRESETS)),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

/** Audited changes, and changes that need no permission, that API tokens can make. Others require a session. */
const OPEN_TO_TOKENS: string[] = [
  'accountNotes.create',
  'accountNotes.update',
  'accountNotes.remove',
  'channels.create',
  'channels.update',
  'channelSendernames.add',
  'channelSendernames.remove',
  'channels.remove',
  'channels.test',
  'hooks.subscribe',
  'hooks.unsubscribe',
  'messageRuleGroups.create',
  'messageRuleGroups.update',
  'messageRuleGroups.remove',
  'messageRuleGroups.assign',
  'patterns.create',
  'patterns.update',
  'patterns.remove',
  'persons.erase',
  'registration.survey',
  'contracts.update',
  'contracts.remove',
  'requisites.create',
  'requisites.update',
  'requisites.remove',
  'routes.create',
  'routes.update',
  'routes.remove',
  'routingGroups.create',
  'routingGroups.update',
  'routingGroups.remove',
  'routingGroups.assign',
  'sendernames.moderate',
  'signupForms.create',
  'signupForms.update',
  'signupForms.remove',
  'inboundRules.create',
  'inboundRules.update',
  'inboundRules.remove',
  'inboundRules.reorder',
  'quietHours.update',
  'frequencyCap.update',
  'emailSettings.update',
  'contactFields.update',
  'suppressions.configure',
  'suppressions.remove',
  'telemetry.decide',
  'templates.moderate',
  // Except username, e-mail and phone, which the service refuses.
  'users.update',
  'webhooks.create',
  'webhooks.update',
  'webhooks.rotate',
  'webhooks.remove',
  'otpWidgets.create',
  'otpWidgets.update',
  'otpWidgets.remove',
  'otpWidgets.setChannels',
  'otpWidgets.unblockPrefix',
];
const SECURITY =
  /^\/(n\/)?(log(in|out)|tokens|sessions?|devices|(change)?passwords?|second-?factor|2fa|totp|users\/me\/(email|phone|password))\b/i;
const MONEY = /^\/(n\/)?(billings|payments?|recurrent-?payments|transfers|invoices)\b/i;

test('account security and money require a session: API tokens are refused', () => {
  const forgotten = ENDPOINTS.filter(([name, def]) => {
    const { can, method, path, mutates, audit, sessionOnly } = def;
    if (can === 'public' || can === 'carrier' || sessionOnly) return false;
    const isWrite = method !== 'GET' || mutates === true;
    const isUndecided = isWrite && (audit !== undefined || can === 'session');
    const isClosed = SECURITY.test(path) || (isWrite && MONEY.test(path));
    return isClosed || (isUndecided && !OPEN_TO_TOKENS.includes(name));
  });
  // Set `sessionOnly` in the contract, or add the endpoint above if a token may make this change.
  expect(forgotten.map(([name]) => name)).toEqual([]);
  const names: string[] = ENDPOINTS.map(([name]) => name);
  expect(OPEN_TO_TOKENS.filter((name) => !names.includes(name))).toEqual([]);
});

test('a token cannot be given permissions that only open endpoints which refuse tokens', () => {
  const permissions = Object.keys(PERMISSIONS) as Permission[];
  const useless = permissions.filter((permission) => {
    const opened = ENDPOINTS.filter(([, def]) => def.can === permission);
    return opened.length && opened.every(([, def]) => def.sessionOnly);
  });
  expect(permissions.filter((name) => !TOKEN_PERMISSIONS.includes(name))).toEqual(useless);
});

test('an endpoint with an OwnerId declares whether it reads or writes for others', () => {
  const taking = ENDPOINTS.filter(([, def]) => [def.body, def.query].some(takesOwner));
  expect(taking.length).toBeGreaterThan(10);
  expect(taking.filter(([, def]) => !def.owner).map(([name]) => name)).toEqual([]);
});

/** The shape of an object schema, also behind a pipe. */
function takesOwner(schema: Endpoint['body']): boolean {
  const { shape, in: inner } = (schema ?? {}) as { shape?: object; in?: Endpoint['body'] };
  return shape ? 'OwnerId' in shape : inner ? takesOwner(inner) : false;
}

test('every job has one handler: the worker starts', async () => {
  await expect(world.startWorker()).resolves.toBeDefined();
});

test('entities are what the migrations made', async () => {
  const { dataSource } = world.db;
  for (const { tableName, columns } of dataSource.entityMetadatas) {
    const rows = await world.db.query<{ name: string; type: string; nullable: boolean }>(
      `select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [tableName],
    );
    const entity = columns
      .filter((column) => !column.isVirtualProperty)
      .map((column) => ({
        name: column.databaseName,
        type: sqlType(column),
        nullable: column.isNullable,
      }));
    const sorted = (list: { name: string }[]) =>
      [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect({ [tableName]: sorted(entity) }).toEqual({ [tableName]: sorted(rows) });
  }
});

function sqlType({ type, precision, scale, isArray }: ColumnMetadata): string {
  const name = type === 'timestamptz' ? 'timestamp with time zone' : String(type);
  const size = type === 'numeric' && precision ? `(${precision},${scale})` : '';
  return name + size + (isArray ? '[]' : '');
}

test('the document is valid OpenAPI 3.1 and names every endpoint', async () => {
  const answer = await fetch(`${world.base}/api/openapi.json`);
  const document = (await answer.json()) as { openapi: string; paths: Record<string, object> };
  expect(document.openapi).toMatch(/^3\.1/);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  const listed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = ENDPOINTS.flatMap(([, def]) =>
    routesOf(def).map((route) => route.replace(/:(\w+)/g, '{$1}')),
  );
  expect(listed.sort()).toEqual(expected.sort());
});

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  requestBody?: { required?: boolean };
  parameters?: { name: string; style?: string; schema: { type?: string; items?: object } }[];
  responses: Record<string, object>;
}

test('the document describes every call, its requirements and its answers', async () => {
  const answer = await fetch(`${world.base}/api/openapi.json`);
  const document = (await answer.json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: object; responses: object };
    tags: { name: string }[];
  };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const byId = Object.fromEntries(operations.map((one) => [one.operationId, one]));
  expect(Object.keys(byId)).toHaveLength(operations.length);
  expect(operations.filter((one) => one.summary === one.operationId || !one.description)).toEqual(
    [],
  );
  const tags = document.tags.map(({ name }) => name);
  expect(operations.flatMap((one) => one.tags).filter((tag) => !tags.includes(tag))).toEqual([]);
  const parameters = operations.flatMap((one) => one.parameters ?? []);
  const wrong = parameters.filter(({ style, schema: { type, items } }) =>
    type === 'object' ? style !== 'deepObject' : type === 'array' && !items,
  );
  expect(wrong).toEqual([]);
  const create = byId['sendings.create']!;
  expect(create.requestBody?.required).toBe(true);
  expect(Object.keys(create.responses)).toEqual(['200', '201', '400', '402', '422', 'default']);
  expect(create.responses.default).toMatchObject({
    description: 'Refused with 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.',
  });
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Sending', 'SendingInput', 'SendingReceipt', 'Task', 'ErrorBody']),
  );
});
