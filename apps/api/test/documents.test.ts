import { contract, SendingInput, WEBHOOK_DATA, type Endpoint } from '@heliograph/contract';
import { SENDING_TYPES, WEBHOOK_EVENT_NAMES } from '@heliograph/domain';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { asyncapi } from '../src/core/http/asyncapi.ts';
import { Descriptions, type Schema } from '../src/core/http/descriptions.ts';
import { openapi } from '../src/core/http/openapi/openapi.ts';

const TABLE = 'a table in packages/contract/src/descriptions/';
/** Many schemas are tried once each: what is compiled for them need not be fast. */
const TRIED_ONCE = { strict: false, inlineRefs: false, code: { optimize: false } } as const;
const descriptions = new Descriptions();
const installation = { version: '1.0.0', site: 'https://cabinet.example' };
const document = openapi(installation, descriptions);
const events = asyncapi(installation, document, descriptions) as {
  components: { messages: Record<string, Message> };
};
interface Message {
  payload: Schema;
  examples?: { payload: unknown }[];
}

type Operation = (typeof document)['paths'][string][string];
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const byId = new Map(operations.map((one) => [one.operationId, one]));

test('every field and parameter has a description, and an example where it is no name of a closed list', () => {
  expect(
    [...descriptions.missing],
    `Add each of these to ${TABLE}, by its name (\`amount\`) or by as much of this path as tells it from others of its name`,
  ).toEqual([]);
  expect(descriptions.unused, `Remove these keys from ${TABLE}, or mend their paths`).toEqual([]);
});

const plain = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
/** Names that a generator writes alike, in the parameters of an operation or in the fields of an object. */
function clashesIn(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { parameters, properties } = node as { parameters?: unknown; properties?: unknown };
  // A field may itself be called `parameters` or `properties`.
  const named = Array.isArray(parameters) ? (parameters as { name: string }[]) : [];
  return [named.map(({ name }) => name), Object.keys(properties ?? {})]
    .flatMap((names) =>
      names
        .filter((name, i) => names.findIndex((other) => plain(other) === plain(name)) !== i)
        .map((name) => `${path}: ${name}`),
    )
    .concat(Object.entries(node).flatMap(([key, child]) => clashesIn(child, `${path}/${key}`)));
}

test('no two names of an operation or object become one in a generated client', () => {
  expect(clashesIn({ limits: { parameters: [{ name: 'a' }, { name: '$a' }] } }, '')).toHaveLength(
    1,
  );
  expect(clashesIn(document.paths, 'paths')).toEqual([]);
  expect(clashesIn(document.components, 'components')).toEqual([]);
});

test('a generator learns where the API is and how to sign in', () => {
  expect(document).toMatchObject({
    servers: [{ url: 'https://cabinet.example/api' }],
    security: [{ bearer: [] }, { token: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
  expect(events).toMatchObject({
    servers: { installation: { host: 'cabinet.example', protocol: 'wss' } },
  });
});

test('what may be sent again after a lost answer is marked by the definition of the endpoint', () => {
  const repeatable = (id: string) =>
    (byId.get(id) as unknown as { 'x-repeatable': string })['x-repeatable'];
  expect(
    [
      'sendings.create',
      'sendings.find',
      'tasks.update',
      'auth.login',
      'recurrentPayments.reInit',
    ].map(repeatable),
  ).toEqual(['with-key', 'always', 'always', 'never', 'never']);
  for (const { operationId, parameters = [] } of operations)
    expect([operationId, repeatable(operationId) === 'with-key']).toEqual([
      operationId,
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    ]);
});

test('every event of a webhook has a body of its own, which its example is one of', () => {
  const ajv = formats.default(new Ajv2020(TRIED_ONCE));
  ajv.addSchema(document, 'document');
  for (const event of WEBHOOK_EVENT_NAMES) {
    const { requestBody } = document.webhooks[event]!.post!;
    const { schema, example } = requestBody!.content['application/json']!;
    const { type, timestamp, data } = example as { type: string; timestamp: string; data: object };
    const isValid = ajv.compile({ $ref: `document${schema.$ref}` });
    expect([event, isValid(example), type]).toEqual([event, true, event]);
    expect(isValid({ type, timestamp, data: [{ ...data, timestamp }] })).toBe(true);
    expect(isValid({ type, timestamp, data: { ...data, id: 5 } })).toBe(false);
    expect(WEBHOOK_DATA[event].strict().safeParse(data).error).toBeUndefined();
  }
});

test('a message is described by its type as the contract takes it', () => {
  const { schemas } = document.components;
  for (const name of ['SendingInput', 'FallbackInput'])
    expect(
      Object.keys((schemas[name] as { discriminator: { mapping: object } }).discriminator.mapping),
    ).toEqual([...SENDING_TYPES]);
  const ajv = formats.default(new Ajv2020(TRIED_ONCE));
  ajv.addSchema(document, 'document');
  const isDescribed = ajv.compile({ $ref: 'document#/components/schemas/SendingInput' });
  const id = '01930000-0000-7000-8000-0000000000a1';
  const FIELDS: Record<string, unknown> = {
    subject: 'Hi',
    image: id,
    file: id,
    video: id,
    audio: id,
    tts: 'ru-anna',
    button: { text: 'Open', url: 'https://shop.example' },
    buttons: [{ text: 'Yes', action: 'yes' }],
  };
  for (const type of SENDING_TYPES) {
    // A call reads its text with a voice: what needs another field is no matter of one field.
    const base = { sender: 'MIRTEA', text: '1234', ...(type === 'voice' && { tts: 'ru-anna' }) };
    const payloads = [
      base,
      { ...base, sender: '' },
      { ...base, text: 'a'.repeat(2001) },
      ...Object.entries(FIELDS).map(([field, value]) => ({ ...base, [field]: value })),
    ];
    for (const payload of payloads) {
      const given = { type, recipient: '+79990000000', payload, fallbacks: [] };
      expect([type, payload, isDescribed(given)]).toEqual([
        type,
        payload,
        SendingInput.safeParse(given).success,
      ]);
    }
  }
});

test('every operation, tag and answer has a description', () => {
  const tags = (document as unknown as { tags: { name: string; description?: string }[] }).tags;
  const nouns = tags.filter((tag) => !tag.description).map((tag) => tag.name);
  expect(nouns, 'Add these to packages/contract/src/descriptions/nouns.ts').toEqual([]);
  const silent = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, answer]) =>
      '$ref' in answer || (answer as { description?: string }).description
        ? []
        : [`${operationId}.${status}`],
    ),
  );
  expect(silent, 'Add these to packages/contract/src/descriptions/responses.ts').toEqual([]);
});

test('events are described by valid AsyncAPI 3.0 with valid examples', () => {
  const schema = createRequire(import.meta.url)(
    '@asyncapi/specs/schemas/3.0.0-without-$id.json',
  ) as object;
  const ajv = formats.default(new Ajv({ ...TRIED_ONCE, logger: false }));
  expect(ajv.validate(schema, events) ? [] : ajv.errors).toEqual([]);
  const { messages } = events.components;
  expect(Object.keys(messages)).toEqual(
    expect.arrayContaining([
      'sendings.updated',
      'tasks.removed',
      'contacts.importing',
      'notifications.sent',
      'settingsUser.updated',
      'resync',
    ]),
  );
  const own = formats.default(new Ajv2020(TRIED_ONCE));
  own.addSchema(events, 'document');
  for (const [name, { examples = [] }] of Object.entries(messages))
    for (const { payload } of examples)
      expect(
        own.validate({ $ref: `document#/components/messages/${name}/payload` }, payload),
        `${name}: ${own.errorsText()}`,
      ).toBe(true);
});

/** The validation errors of an example. */
function problems(what: string, schema: Endpoint['body'], example: unknown): unknown[] {
  const issues = schema?.safeParse(example).error?.issues ?? [];
  return issues.map(({ path, message }) => `${what}: ${path.join('.')} ${message}`);
}
const jsonOf = ({ content }: Pick<Operation['responses'][string], 'content'>) =>
  content?.['application/json']?.example;

/** The only example of a body, or each of several by its name. */
const bodiesOf = (body: NonNullable<Operation['requestBody']>): [string, unknown][] => {
  const { examples } = body.content['application/json'] ?? {};
  return examples
    ? Object.entries(examples).map(([name, { value }]) => [name, value])
    : [['', jsonOf(body)]];
};

test('a sending has an example of each shape that it comes in', () => {
  const bodies = Object.fromEntries(bodiesOf(byId.get('sendings.create')!.requestBody!));
  expect(bodies).toMatchObject({
    single: { recipient: '+79990000000' },
    commas: { recipient: expect.stringContaining(',') },
    fallback: { recipient: expect.any(Array), fallbacks: [{ options: expect.anything() }] },
    scheduled: { recipient: { include: [expect.any(String)] }, schedule: { until: 4 } },
    full: { schedule: {}, options: {}, callbackData: expect.any(String) },
  });
  const schema = byId.get('sendings.create')!.requestBody!.content['application/json']!.schema;
  const ajv = formats.default(new Ajv2020(TRIED_ONCE));
  ajv.addSchema(document, 'document');
  const valid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  for (const [name, one] of Object.entries(bodies)) {
    valid(one);
    expect([name, valid.errors]).toEqual([name, null]);
  }
});

test('the examples of bodies, answers and parameters pass the validation of the contract', () => {
  const wrong = Object.entries(contract).flatMap(([noun, endpoints]) =>
    (Object.entries(endpoints) as [string, Endpoint][]).flatMap(([verb, def]) => {
      const name = `${noun}.${verb}`;
      const { requestBody, responses, parameters = [] } = byId.get(name)!;
      const named = Object.fromEntries(parameters.map((one) => [one.name, one.example]));
      const { 'Idempotency-Key': _, ...given } = named;
      const of = (schema: Endpoint['query'], isPath: boolean) =>
        Object.fromEntries(
          Object.entries(given).filter(([key]) => def.path.includes(`:${key}`) === isPath),
        );
      const answers = def.responses ?? { [def.status ?? 200]: def.response };
      return [
        ...(def.body ? bodiesOf(requestBody!) : []).flatMap(([which, one]) =>
          problems(`${name} body ${which}`, def.body, one),
        ),
        ...problems(`${name} query`, def.query, of(def.query, false)),
        ...problems(`${name} path`, def.params, of(def.params, true)),
        ...Object.entries(answers).flatMap(([status, schema]) =>
          problems(`${name} ${status}`, schema, jsonOf(responses[status]!)),
        ),
      ];
    }),
  );
  expect(wrong).toEqual([]);
});

/** The schemas with examples, each once, as text with absolute references. */
function withExamples(part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  if (Array.isArray((part as Schema).examples))
    found.add(JSON.stringify(part).replaceAll('"#/', '"document#/'));
  for (const [key, value] of Object.entries(part))
    if (!key.startsWith('example')) withExamples(value, found);
  return found;
}

test('expressions are such as other languages read', () => {
  expect(JSON.stringify(document)).not.toContain('\\\\p{');
});

test('the examples of fields are valid by their own schemas', () => {
  const ajv = formats.default(new Ajv2020(TRIED_ONCE));
  ajv.addSchema(document, 'document');
  const all = [...withExamples(document)];
  expect(all.length).toBeGreaterThan(300);
  const wrong = all.flatMap((text) => {
    const schema = JSON.parse(text) as Schema & { examples: unknown[] };
    const { examples } = schema;
    const isValid = examples.every((example) => ajv.validate(schema, example));
    return isValid ? [] : [`${ajv.errorsText()}: ${JSON.stringify(examples)}`];
  });
  expect(wrong).toEqual([]);
});
