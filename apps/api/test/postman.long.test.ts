import { isForTests, TEST_TOKEN_PERMISSIONS, tokens } from '@heliograph/contract';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { referenceEndpoints } from '../src/features/documentation/reference.ts';
import { World } from './world.ts';

/** What is used of `postman-collection`, the library with which Postman's own programs read collections. */
interface Item {
  name: string;
  request: {
    method: string;
    url: { getHost(): string; getPathWithQuery(): string; getPath(unresolved: boolean): string };
    headers: { toObject(onlyEnabled: boolean): Record<string, string> };
    body?: { mode: string; toString(): string };
  };
  getAuth(): { type: string; parameters(): { get(name: string): string } } | undefined;
}
interface Collection {
  forEachItem(visit: (item: Item) => void): void;
  variables: { replace(text: string): string };
  syncVariablesFrom(values: Record<string, string>): void;
}
const converter = fileURLToPath(
  new URL('clients/node_modules/openapi-to-postmanv2/package.json', import.meta.url),
);
const { Collection } = createRequire(realpathSync(converter))('postman-collection') as {
  Collection: new (json: object) => Collection;
};

interface Refusal {
  code?: string;
  message?: string;
  errors?: { property: string; constraints: Record<string, string> }[];
}
interface Answer {
  item: Item;
  status: number;
  refusal: Refusal;
}

let world: World;
let collection: Collection;
let items: Item[];
let statuses: Map<string, Set<number>>;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none', RATE_SCALE: '1000' });
  const read = async (name: string) =>
    (await (await fetch(`${world.base}/api/${name}.json`)).json()) as never;
  collection = new Collection(await read('postman'));
  items = [];
  collection.forEachItem((item) => items.push(item));
  statuses = documentedStatuses(await read('openapi'));
});
afterAll(() => world.stop());

/** The statuses of each operation: `default` names those that have no response of their own. */
function documentedStatuses({
  paths,
}: {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}): Map<string, Set<number>> {
  const of = (responses: Record<string, { description: string }>) =>
    new Set([
      ...Object.keys(responses).map(Number),
      ...[...responses.default!.description.matchAll(/\d{3}/g)].map(Number),
    ]);
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        of(responses),
      ]),
    ),
  );
}

const nameOf = ({ request: { method, url } }: Item) => `${method} ${url.getPath(true)}`;

async function send(item: Item, token: string): Promise<Answer> {
  const { method, url, headers, body } = item.request;
  collection.syncVariablesFrom({ baseUrl: `${world.base}/api`, token });
  const filled = (text: string) => collection.variables.replace(text);
  const auth = item.getAuth();
  const answer = await fetch(filled(url.getHost() + url.getPathWithQuery()), {
    method,
    headers: {
      ...headers.toObject(true),
      ...(auth?.type === 'bearer' && {
        authorization: `Bearer ${filled(auth.parameters().get('token'))}`,
      }),
    },
    body: body ? filled(body.toString()) : null,
    redirect: 'manual',
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return {
    item,
    status: answer.status,
    refusal: answer.status >= 400 && isJson ? (JSON.parse(text) as Refusal) : {},
  };
}

test('the collection has each request of the reference once', () => {
  const endpoints = referenceEndpoints().flatMap(([, defs]) =>
    defs.map(({ method, path }) => `${method} ${path}`),
  );
  expect(items.map(nameOf)).toEqual(endpoints);
});

/** Ids of the documented values belong to nobody. */
const EXAMPLE_ID = '01930000-0000-7000-8000-';
const namesExample = ({ request: { url, body } }: Item) =>
  url.getPath(true).includes('/:') || !!body?.toString().includes(EXAMPLE_ID);

/** Answers that neither an account without rights nor one without rows explains, as `code` and the rule of a field. */
function remarkable(answers: Answer[]): Record<string, string> {
  const found = answers.flatMap(({ item, status, refusal: { code = '', errors = [] } }) => {
    const isUsual =
      status < 400 ||
      (status === 403 && ['forbidden', 'session_required'].includes(code)) ||
      (status === 404 && code === 'not_found' && namesExample(item));
    const rules = errors.flatMap(({ constraints }) => Object.keys(constraints));
    // Whether the host of a documented address exists depends on the network of the machine.
    const isOfNetwork = rules.length > 0 && rules.every((rule) => rule === 'webhook_address');
    return isUsual || isOfNetwork ? [] : [[nameOf(item), [code, ...rules].join(' ')]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const undocumented = (answers: Answer[]) =>
  answers
    .filter(({ item, status }) => !statuses.get(nameOf(item))?.has(status))
    .map(({ item, status }) => `${nameOf(item)}: ${status}`);

/** Of requests that show who one is by something that a test cannot know. */
const UNKNOWN = {
  'POST /login': 'wrong_credentials',
  'POST /login/oidc/:id/code': 'wrong_identity',
  'POST /login/passkey': 'wrong_passkey',
  'POST /integrations/:id/messages/:secret': 'unauthorized',
  'POST /integrations/:id/bitrix24/:secret': 'unauthorized',
};

test('with a test token every request has a documented answer, and those for tests are allowed', async () => {
  const owner = await world.person();
  const { token } = await owner.api(tokens.create, { body: { description: 'T', isTest: true } });
  const answers: Answer[] = [];
  for (const item of items) answers.push(await send(item, token));
  expect(undocumented(answers)).toEqual([]);
  expect(remarkable(answers)).toEqual(UNKNOWN);
  const forTests = referenceEndpoints().flatMap(([, defs]) =>
    defs
      .filter(
        (def) =>
          isForTests(def) &&
          !def.sessionOnly &&
          !def.accept &&
          (TEST_TOKEN_PERMISSIONS as readonly string[]).includes(def.can),
      )
      .map(({ method, path }) => `${method} ${path}`),
  );
  expect(forTests).toContain('POST /sendings');
  const refused = answers.filter(
    ({ item, status }) => status === 403 && forTests.includes(nameOf(item)),
  );
  expect(refused.map(({ item }) => nameOf(item))).toEqual([]);
  const sent = answers.find(({ item }) => nameOf(item) === 'POST /sendings');
  expect(sent?.status).toBe(200);
});

test('with a session every request is one that is understood', async () => {
  const answers: Answer[] = [];
  // Some end the session, or change what others need.
  for (const item of items)
    answers.push(await send(item, (await world.person({ balance: 100_000 })).token));
  expect(undocumented(answers)).toEqual([]);
  expect(remarkable(answers)).toEqual({
    ...UNKNOWN,
    // What an installation has not set up.
    'POST /n/lookups/companies': 'unavailable',
    'POST /n/lookups/banks': 'unavailable',
    'POST /n/lookups/names': 'unavailable',
    'POST /notificationSettings/telegram/code': 'unavailable',
    'POST /recurrentPayments': 'validation invalid_value',
    'POST /tts/generate': 'validation invalid_value',
    // What has to be begun, or to exist, before.
    'POST /automations': 'validation unknown',
    'POST /inboundRules': 'validation inbound_webhook',
    'POST /users/me/passkeys': 'validation wrong',
    'POST /users/me/second-factor/enable': 'not_found',
    'POST /users/me/second-factor/disable': 'not_found',
    'POST /users/me/second-factor/codes': 'not_found',
    'PUT /notificationSettings/BalanceLimit/limits': 'conflict',
  });
});
